#include <sqlite3.h>

/* Keeps the mapping of a database file across the commits of other connections.

   When a connection's next read follows such a commit, SQLite unmaps the whole file, because another process may have
   truncated the file and extended it again. On Linux a shared mapping stays valid through that. Mapping the file again
   costs the kernel a page fault for each page that the next reads touch, and all threads of the process wait for each
   other meanwhile: a server with a million licenses spent a millisecond of processor time on each commit.

   This virtual file system is SQLite's default one, except that it keeps the mapping. It unmaps the file only if the
   file has shrunk, or has grown so much that too many pages lie outside the mapping; those are read with a system call
   each. */
typedef struct {
    sqlite3_vfs *system;
    sqlite3_vfs own;
    const sqlite3_io_methods *system_methods;
    sqlite3_io_methods methods;
} tenure_sqlite_file_system;

/* The variable is in a function, because Swift emits none of a header. */
static inline tenure_sqlite_file_system *tenure_sqlite_files(void) {
    static tenure_sqlite_file_system files;
    return &files;
}

/* The size that a file had when it was last unmapped; it's stored behind SQLite's own state of the file. */
static inline sqlite3_int64 *tenure_sqlite_mapped_size(sqlite3_file *file) {
    return (sqlite3_int64 *)((char *)file + ((tenure_sqlite_files()->system->szOsFile + 7) & ~7));
}

static inline int tenure_sqlite_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
    const sqlite3_io_methods *system = tenure_sqlite_files()->system_methods;
    if (!page) {
        sqlite3_int64 size = 0, *mapped = tenure_sqlite_mapped_size(file);
        int code = system->xFileSize(file, &size);
        if (!code && size >= *mapped && size - *mapped <= *mapped / 64) return SQLITE_OK;
        *mapped = size;
    }
    return system->xUnfetch(file, offset, page);
}

/* Replaces the methods of a database file by ours: a copy of the first file's methods with another xUnfetch. A file on
   an unusual file system has different methods, which it keeps. */
static inline void tenure_sqlite_keep_mapping(sqlite3_file *file) {
    tenure_sqlite_file_system *files = tenure_sqlite_files();
    sqlite3_mutex *lock = sqlite3_mutex_alloc(SQLITE_MUTEX_STATIC_APP1);
    sqlite3_mutex_enter(lock);
    if (!files->system_methods && file->pMethods->iVersion >= 3) {
        files->system_methods = file->pMethods;
        files->methods = *file->pMethods;
        files->methods.xUnfetch = tenure_sqlite_unfetch;
    }
    if (file->pMethods == files->system_methods) file->pMethods = &files->methods;
    sqlite3_mutex_leave(lock);
}

static inline int tenure_sqlite_open_file(
    sqlite3_vfs *own, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
    (void)own;
    tenure_sqlite_file_system *files = tenure_sqlite_files();
    int code = files->system->xOpen(files->system, name, file, flags, flags_out);
    *tenure_sqlite_mapped_size(file) = 0;
    if (!code && flags & SQLITE_OPEN_MAIN_DB && file->pMethods) tenure_sqlite_keep_mapping(file);
    return code;
}

/* Registers the virtual file system as "tenure"; call this only once. */
static inline int tenure_sqlite_register_files(void) {
    tenure_sqlite_file_system *files = tenure_sqlite_files();
    files->system = sqlite3_vfs_find(0);
    if (!files->system) return SQLITE_ERROR;
    files->own = *files->system;
    files->own.zName = "tenure";
    files->own.pNext = 0;
    files->own.szOsFile = ((files->system->szOsFile + 7) & ~7) + (int)sizeof(sqlite3_int64);
    files->own.xOpen = tenure_sqlite_open_file;
    return sqlite3_vfs_register(&files->own, 0);
}
