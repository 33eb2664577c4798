#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies what is bound before these return. */
static inline int tenure_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, length == 0 ? "" : text, length, SQLITE_TRANSIENT);
}

static inline int tenure_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    if (length == 0) return sqlite3_bind_zeroblob(statement, place, 0);
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

/* Memory statistics cost a global lock at every allocation. And every cache would begin with twenty pages at once: so many
   suit a database, but a statement with a list in it, such as that of a CHECK constraint, makes a table of its own each
   time it runs, and seldom fills one. Refused, harmlessly, once SQLite is in use. */
static inline int tenure_sqlite_set_up_process(void) {
    int code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return code ? code : sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* The header of the log's index, which every commit of every process changes (sqlite.org/walformat.html, section 2.1).
   48 bytes; the number of frames in the log is the word at 16. */
typedef struct {
    unsigned long long words[6];
} tenure_sqlite_log_header;

/* Where the header is mapped, once a statement has read the database; null for a database without a log. The VFS is
   asked for it, because a file descriptor of our own would drop SQLite's locks when it is closed. */
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
