/* The bare loop: on one thread, the statements that the server runs for an activation, so many to a commit.
 *
 * Written in C so that nothing of the server is in it: what SQLite and the disk allow, no more. The statements and the
 * settings repeat those of Sources/TenureSQLite; whoever changes them there changes them here. */
#include "../../Sources/CSQLite/shim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HASH = 32, ID = 16 };

enum statement { BEGIN, COMMIT, VERSION, LICENSE, SEATS, KNOWN, ACTIVATION, EVENT, STATEMENTS };

static const char *const texts[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [VERSION] = "SELECT version FROM catalog_version",
    [LICENSE] = "SELECT id, tenant, product, key_hash, policy, state, term_start, term_end, issued_at, "
                "first_activated_at, key_masked, holder FROM licenses WHERE key_hash = ?1 AND tenant = ?2 AND product = ?3",
    [SEATS] = "SELECT count(*) FROM (SELECT 1 FROM activations WHERE license_id = ?1 AND released_at IS NULL LIMIT ?2)",
    [KNOWN] = "SELECT id, license_id, activated_at, last_seen_at, released_at, name, identity FROM activations "
              "WHERE license_id = ?1 AND released_at IS NULL AND identity = ?2 "
              "ORDER BY activated_at DESC, id DESC LIMIT 1",
    [ACTIVATION] = "INSERT INTO activations (id, license_id, activated_at, last_seen_at, released_at, name, identity) "
                   "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (id) DO UPDATE SET "
                   "last_seen_at = excluded.last_seen_at, released_at = excluded.released_at",
    [EVENT] = "INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail) "
              "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
};

static sqlite3 *database;
static sqlite3_stmt *statements[STATEMENTS];

static void check(int code)
{
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    fprintf(stderr, "bench-bare: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void text(enum statement which, int place, const char *value)
{
    check(tenure_sqlite_bind_text(statements[which], place, value, (int)strlen(value)));
}

static void number(enum statement which, int place, sqlite3_int64 value)
{
    check(sqlite3_bind_int64(statements[which], place, value));
}

static void blob(enum statement which, int place, const void *bytes, int count)
{
    check(tenure_sqlite_bind_blob(statements[which], place, bytes, count));
}

/* Runs a statement and answers the first column of its first row, or -1. */
static sqlite3_int64 run(enum statement which)
{
    int code = sqlite3_step(statements[which]);
    check(code);
    sqlite3_int64 first = code == SQLITE_ROW ? sqlite3_column_int64(statements[which], 0) : -1;
    check(sqlite3_reset(statements[which]));
    return first;
}

static void activate(const unsigned char *hash, sqlite3_int64 now)
{
    unsigned char id[ID], machine[HASH];
    char identity[2 + 2 * HASH + 1] = "m:";
    sqlite3_randomness(ID, id);
    sqlite3_randomness(HASH, machine);
    for (int place = 0; place < HASH; place++) sprintf(identity + 2 + 2 * place, "%02x", machine[place]);

    blob(LICENSE, 1, hash, HASH);
    text(LICENSE, 2, "acme");
    text(LICENSE, 3, "notes");
    sqlite3_int64 license = run(LICENSE);
    number(SEATS, 1, license);
    number(SEATS, 2, 10001);
    run(SEATS);
    number(KNOWN, 1, license);
    text(KNOWN, 2, identity);
    run(KNOWN);
    blob(ACTIVATION, 1, id, ID);
    number(ACTIVATION, 2, license);
    number(ACTIVATION, 3, now);
    number(ACTIVATION, 4, now);
    text(ACTIVATION, 6, "Bench device");
    text(ACTIVATION, 7, identity);
    run(ACTIVATION);
    number(EVENT, 1, now);
    text(EVENT, 2, "activation.created");
    text(EVENT, 3, "acme");
    text(EVENT, 4, "notes");
    number(EVENT, 5, license);
    blob(EVENT, 6, id, ID);
    text(EVENT, 7, "device");
    text(EVENT, 8, "[{\"instanceName\":\"Bench device\"}]");
    run(EVENT);
}

/* The hashes of licenses from all over the table, for their ids are random. */
static unsigned char *some_hashes(int count)
{
    unsigned char *hashes = malloc((size_t)count * HASH);
    sqlite3_stmt *query;
    check(sqlite3_prepare_v2(
        database, "SELECT key_hash FROM licenses WHERE id >= (random() & 9223372036854775807) ORDER BY id LIMIT 1", -1,
        &query, NULL));
    for (int place = 0; place < count;) {
        if (sqlite3_step(query) == SQLITE_ROW) memcpy(hashes + HASH * place++, sqlite3_column_blob(query, 0), HASH);
        check(sqlite3_reset(query));
    }
    sqlite3_finalize(query);
    return hashes;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **words)
{
    if (count != 4 || atoi(words[2]) < 1 || atoi(words[3]) < 1) {
        fprintf(stderr, "usage: bench-bare DATABASE BATCH SECONDS\n");
        return 2;
    }
    int batch = atoi(words[2]);
    double duration = atof(words[3]);
    tenure_sqlite_disable_memory_statistics();
    check(sqlite3_open_v2(words[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL));
    check(sqlite3_exec(
        database,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
        "PRAGMA wal_autocheckpoint = 4000; PRAGMA journal_size_limit = 67108864;"
        "PRAGMA mmap_size = 68719476736; PRAGMA cache_size = -16384",
        NULL, NULL, NULL));
    for (int which = 0; which < STATEMENTS; which++)
        check(sqlite3_prepare_v3(database, texts[which], -1, SQLITE_PREPARE_PERSISTENT, &statements[which], NULL));

    enum { KNOWN_HASHES = 200000 };
    unsigned char *hashes = some_hashes(KNOWN_HASHES);
    long done = 0;
    double start = seconds(), end = start + duration;
    while (seconds() < end) {
        run(BEGIN);
        run(VERSION);
        for (int place = 0; place < batch; place++, done++) activate(hashes + done % KNOWN_HASHES * HASH, time(NULL));
        run(COMMIT);
    }
    printf("{\"activations\": %ld, \"rate\": %.0f}\n", done, (double)done / (seconds() - start));
    return 0;
}
