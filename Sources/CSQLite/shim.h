#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies what is bound before these return. */
static inline int tenure_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, length == 0 ? "" : text, length, SQLITE_TRANSIENT);
}

static inline int tenure_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    if (length == 0) return sqlite3_bind_zeroblob(statement, place, 0);
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

/* Memory statistics cost a global lock at every allocation. Refused, harmlessly, once SQLite is in use. */
static inline int tenure_sqlite_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
