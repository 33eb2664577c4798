/* The bare loop: on one thread, the statements that the server runs for an activation, a given number in a commit.
 *
 * Written in C without any of the server's code, so it shows what SQLite and the disk allow. The statements and the
 * settings repeat those of Sources/Platform/TenureSQLite; change both together. */
#include "bare.h"

enum { HASH = 32, ID = 16 };

enum statement { BEGIN, COMMIT, VERSION, LICENSE, SEATS, KNOWN, ACTIVATION, COUNTER, EVENT, STATEMENTS };

static const char *const texts[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [VERSION] = "SELECT version FROM catalog_version",
    [LICENSE] = "SELECT id, tenant, product, key_hash, policy, state, term_start, term_end, issued_at, "
                "first_activated_at, key_masked, holder FROM licenses WHERE key_hash = ?1 AND tenant = ?2 AND product = ?3",
    [SEATS] = "SELECT count(*) FROM (SELECT 1 FROM activations WHERE license_id = ?1 AND released_at IS NULL LIMIT ?2)",
    [KNOWN] = "SELECT id, license_id, activated_at, released_at, name, identity FROM activations "
              "WHERE license_id = ?1 AND released_at IS NULL AND identity = ?2 "
              "ORDER BY activated_at DESC, id DESC LIMIT 1",
    [ACTIVATION] = "INSERT INTO activations (id, license_id, activated_at, released_at, name, identity) "
                   "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET "
                   "released_at = excluded.released_at",
    [COUNTER] = "UPDATE event_counters SET last = last + 1 WHERE tenant = ?1",
    [EVENT] = "INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail, sequence) "
              "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, (SELECT last FROM event_counters WHERE tenant = ?3))",
};

static sqlite3_stmt *statements[STATEMENTS];

static void activate(const unsigned char *hash, sqlite3_int64 now)
{
    unsigned char id[ID], machine[HASH];
    char identity[2 + 2 * HASH + 1] = "m:";
    sqlite3_randomness(ID, id);
    sqlite3_randomness(HASH, machine);
    for (int place = 0; place < HASH; place++) sprintf(identity + 2 + 2 * place, "%02x", machine[place]);

    blob(statements[LICENSE], 1, hash, HASH);
    text(statements[LICENSE], 2, "acme");
    text(statements[LICENSE], 3, "notes");
    sqlite3_int64 license = run(statements[LICENSE]);
    number(statements[SEATS], 1, license);
    number(statements[SEATS], 2, 10001);
    run(statements[SEATS]);
    number(statements[KNOWN], 1, license);
    text(statements[KNOWN], 2, identity);
    run(statements[KNOWN]);
    blob(statements[ACTIVATION], 1, id, ID);
    number(statements[ACTIVATION], 2, license);
    number(statements[ACTIVATION], 3, now);
    text(statements[ACTIVATION], 5, "Bench device");
    text(statements[ACTIVATION], 6, identity);
    run(statements[ACTIVATION]);
    text(statements[COUNTER], 1, "acme");
    run(statements[COUNTER]);
    number(statements[EVENT], 1, now);
    text(statements[EVENT], 2, "activation.created");
    text(statements[EVENT], 3, "acme");
    text(statements[EVENT], 4, "notes");
    number(statements[EVENT], 5, license);
    blob(statements[EVENT], 6, id, ID);
    text(statements[EVENT], 7, "device");
    text(statements[EVENT], 8, "[{\"instanceName\":\"Bench device\"}]");
    run(statements[EVENT]);
}

/* The key hashes of licenses from the whole table, because the search starts at random ids. */
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

int main(int count, char **words)
{
    if (count == 2) {
        /* The minimum cost of a start: opens the store and reads one row. */
        open_database(words[1]);
        return run(prepared(texts[VERSION])) >= 0 ? 0 : 1;
    }
    if (count != 4 || atoi(words[2]) < 1 || atoi(words[3]) < 1) {
        fprintf(stderr, "usage: bench-bare DATABASE [BATCH SECONDS]\n");
        return 2;
    }
    int batch = atoi(words[2]);
    double duration = atof(words[3]);
    open_database(words[1]);
    for (int which = 0; which < STATEMENTS; which++)
        statements[which] = prepared(texts[which]);

    enum { KNOWN_HASHES = 200000 };
    unsigned char *hashes = some_hashes(KNOWN_HASHES);
    long done = 0;
    double start = seconds(), end = start + duration;
    while (seconds() < end) {
        run(statements[BEGIN]);
        run(statements[VERSION]);
        for (int place = 0; place < batch; place++, done++) activate(hashes + done % KNOWN_HASHES * HASH, time(NULL));
        run(statements[COMMIT]);
    }
    printf("{\"activations\": %ld, \"rate\": %.0f}\n", done, (double)done / (seconds() - start));
    return 0;
}
