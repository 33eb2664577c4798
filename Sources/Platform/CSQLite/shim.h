#include <sqlite3.h>

/* Swift can't import SQLITE_TRANSIENT, which is a cast. It makes SQLite copy the bound value before these return. */
static inline int tenure_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, length == 0 ? "" : text, length, SQLITE_TRANSIENT);
}

static inline int tenure_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    if (length == 0) return sqlite3_bind_zeroblob(statement, place, 0);
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

/* Disables memory statistics, which take a global lock at every allocation, and the preallocation of page caches.
   By default, every page cache starts with twenty pages. A statement with a list, such as that of a CHECK constraint,
   creates a temporary table each time it runs, which seldom fills one page. The calls fail without effect once SQLite
   has been initialized. */
static inline int tenure_sqlite_set_up_process(void) {
    int code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return code ? code : sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* The 48-byte header of the WAL index (sqlite.org/walformat.html, section 2.1), which every commit of every process
   changes. The 32-bit word at offset 16 is the number of frames in the WAL. */
typedef struct {
    unsigned long long words[6];
} tenure_sqlite_log_header;

/* Returns the address of the mapped header, once a statement has read the database; null for a database without a WAL.
   The VFS supplies it, because closing a file descriptor of our own would release SQLite's locks. */
static inline const volatile void *tenure_sqlite_log_index(sqlite3 *database) {
    sqlite3_file *file = 0;
    volatile void *region = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK) return 0;
    return region;
}

static inline tenure_sqlite_log_header tenure_sqlite_read_log_header(const volatile void *index) {
    tenure_sqlite_log_header header;
    __sync_synchronize();
    for (int place = 0; place < 6; place++) {
        header.words[place] = ((const volatile unsigned long long *)index)[place];
    }
    return header;
}

static inline int tenure_sqlite_log_header_is(const volatile void *index, const tenure_sqlite_log_header *seen) {
    tenure_sqlite_log_header now = tenure_sqlite_read_log_header(index);
    unsigned long long difference = 0;
    for (int place = 0; place < 6; place++) difference |= now.words[place] ^ seen->words[place];
    return difference == 0;
}

static inline unsigned int tenure_sqlite_log_length(const volatile void *index) {
    return ((const volatile unsigned int *)index)[4];
}
