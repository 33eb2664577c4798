/* Shared by the bare loops: one connection with the server's settings, and prepared statements.
 *
 * The settings repeat those of Sources/Platform/TenureSQLite; change both together. */
#include "../../Sources/Platform/CSQLite/shim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static inline void check(int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "bench-bare: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static inline void open_database(const char *path)
{
    tenure_sqlite_set_up_process();
    check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    check(sqlite3_exec(
        database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
        "PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;"
        "PRAGMA mmap_size = 68719476736; PRAGMA cache_size = -16384",
        NULL, NULL, NULL));
}

static inline sqlite3_stmt *prepared(const char *text)
{
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(database, text, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL));
    return statement;
}

static inline void text(sqlite3_stmt *statement, int place, const char *value)
{
    check(tenure_sqlite_bind_text(statement, place, value, (int)strlen(value)));
}

static inline void number(sqlite3_stmt *statement, int place, sqlite3_int64 value)
{
    check(sqlite3_bind_int64(statement, place, value));
}

static inline void blob(sqlite3_stmt *statement, int place, const void *bytes, int count)
{
    check(tenure_sqlite_bind_blob(statement, place, bytes, count));
}

/* Runs a statement to its end. Returns the first column of its first row, or -1 if it has no row. */
static inline sqlite3_int64 run(sqlite3_stmt *statement)
{
    sqlite3_int64 first = -1;
    for (int rows = 0;; rows++) {
        int code = sqlite3_step(statement);
        check(code);
        if (code != SQLITE_ROW) break;
        if (rows == 0) first = sqlite3_column_int64(statement, 0);
    }
    check(sqlite3_reset(statement));
    return first;
}

static inline double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
