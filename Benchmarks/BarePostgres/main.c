/* The bare loop on PostgreSQL: on one connection, the statements that a server runs for a group of activations.
 *
 * Written in C without any of the server's code, so it shows what libpq, the database and the disk allow. The
 * statements, the settings and the two round trips repeat those of Sources/Platform/TenurePostgres; change both
 * together. */
#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { HASH = 32, ID = 16, IDENTITY = 2 + 2 * HASH, KNOWN_HASHES = 200000, PARAMETERS = 9 };
enum type { BYTEA = 17, INT8 = 20, TEXT = 25, UUID = 2950 };

#define WANTED \
    "WITH wanted (id, identity) AS (" \
    " SELECT w.id, w.identity FROM unnest($1::bigint[], $2::text[]) AS w (id, identity)" \
    " UNION SELECT l.id, w.identity" \
    " FROM unnest($3::bytea[], $4::text[], $5::text[], $6::text[]) AS w (key_hash, tenant, product, identity)" \
    " JOIN LATERAL (SELECT id, tenant, product FROM licenses WHERE key_hash = w.key_hash OFFSET 0) AS l" \
    " ON l.tenant = w.tenant AND l.product = w.product" \
    " UNION SELECT a.license_id, w.identity" \
    " FROM unnest($7::uuid[], $8::text[]) AS w (id, identity) JOIN activations a ON a.id = w.id) "

enum statement {
    BEGIN, SHARE_CATALOG, VERSION, LICENSES, BY_ID, SEATS, KNOWN, ACTIVATIONS, EVENTS, COMMIT, STATEMENTS
};

static const char *const texts[STATEMENTS] = {
    [BEGIN] = "BEGIN",
    [SHARE_CATALOG] = "SELECT pg_advisory_xact_lock_shared(1414419794, 2)",
    [VERSION] = "SELECT version FROM catalog_version",
    [LICENSES] = WANTED
        "SELECT id, tenant, product, key_hash, policy, state, term_start, term_end, issued_at, first_activated_at,"
        " key_masked, holder FROM licenses WHERE id IN (SELECT id FROM wanted) ORDER BY id FOR UPDATE",
    [BY_ID] = "SELECT id, license_id, activated_at, released_at, name, identity FROM activations"
              " WHERE id = ANY ($1::uuid[])",
    [SEATS] = WANTED
        "SELECT w.id, (SELECT count(*) FROM ("
        " SELECT 1 FROM activations a WHERE a.license_id = w.id AND a.released_at IS NULL LIMIT $9::bigint) AS seats)"
        " FROM (SELECT DISTINCT id FROM wanted) AS w",
    [KNOWN] = WANTED
        "SELECT a.id, a.license_id, a.activated_at, a.released_at, a.name, a.identity"
        " FROM wanted w CROSS JOIN LATERAL ("
        " SELECT * FROM activations WHERE license_id = w.id AND released_at IS NULL AND identity = w.identity"
        " ORDER BY activated_at DESC, id DESC LIMIT 1) AS a",
    [ACTIVATIONS] =
        "INSERT INTO activations (id, license_id, activated_at, released_at, name, identity)"
        " SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[])"
        " ON CONFLICT (id) DO UPDATE SET released_at = excluded.released_at",
    [EVENTS] =
        "WITH w AS MATERIALIZED (SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bigint[],"
        " $6::uuid[], $7::text[], $8::text[]) WITH ORDINALITY"
        " AS w (at, kind, tenant, product, license_id, activation_id, actor, detail, place)), c AS ("
        "INSERT INTO event_counters AS known (tenant, last)"
        " SELECT w.tenant, count(*) FROM w GROUP BY w.tenant ORDER BY w.tenant"
        " ON CONFLICT (tenant) DO UPDATE SET last = known.last + excluded.last RETURNING tenant, last)"
        " INSERT INTO events (at, kind, tenant, product, license_id, activation_id, actor, detail, sequence)"
        " SELECT at, kind, w.tenant, product, license_id, activation_id, actor, detail,"
        " c.last - count(*) OVER (PARTITION BY w.tenant) + row_number() OVER (PARTITION BY w.tenant ORDER BY w.place)"
        " FROM w JOIN c ON c.tenant = w.tenant",
    [COMMIT] = "COMMIT",
};

static const char settings[] =
    "SET statement_timeout = 8000; SET lock_timeout = 5000; SET idle_in_transaction_session_timeout = 15000;"
    "SET synchronous_commit = on; SET TimeZone = 'UTC'; SET client_min_messages = error; SET jit = off;"
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;"
    "SET plan_cache_mode = force_generic_plan";

/* One column of a batch, in the binary format of an array. */
struct column {
    char *bytes;
    int length;
};

static PGconn *connection;

static void fail(void)
{
    fprintf(stderr, "bench-bare-postgres: %s\n", PQerrorMessage(connection));
    exit(1);
}

static void number(struct column *column, int bytes, int64_t value)
{
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) column->bytes[column->length++] = (char)(value >> shift);
}

/* Starts a column of `count` elements of at most `most` bytes; without elements, it is an empty array. */
static struct column start(enum type type, int count, int most)
{
    struct column column = {malloc(20 + (size_t)count * (4 + (size_t)most)), 0};
    number(&column, 4, count > 0);
    number(&column, 4, 1);
    number(&column, 4, type);
    if (count > 0) {
        number(&column, 4, count);
        number(&column, 4, 1);
    }
    return column;
}

static void add(struct column *column, const void *bytes, int length)
{
    number(column, 4, length);
    memcpy(column->bytes + column->length, bytes, (size_t)length);
    column->length += length;
}

/* A column with the same number in every row. */
static struct column numbers(int count, int64_t value)
{
    struct column column = start(INT8, count, 8);
    for (int place = 0; place < count; place++) {
        number(&column, 4, 8);
        number(&column, 8, value);
    }
    return column;
}

static struct column same(int count, const char *text)
{
    struct column column = start(TEXT, count, (int)strlen(text));
    for (int place = 0; place < count; place++) add(&column, text, (int)strlen(text));
    return column;
}

static struct column nulls(int count)
{
    struct column column = start(INT8, count, 0);
    for (int place = 0; place < count; place++) number(&column, 4, -1);
    return column;
}

/* A column of values of equal width, which are stored one after the other in `block`. */
static struct column slice(enum type type, int count, const char *block, int width)
{
    struct column column = start(type, count, width);
    for (int place = 0; place < count; place++) add(&column, block + (size_t)place * (size_t)width, width);
    return column;
}

static void send_statement(enum statement which, const struct column *columns, int count)
{
    static const int formats[PARAMETERS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const char *values[PARAMETERS];
    int lengths[PARAMETERS];
    char name[8];
    for (int place = 0; place < count; place++) {
        values[place] = columns[place].bytes;
        lengths[place] = columns[place].length;
    }
    snprintf(name, sizeof name, "s%d", which);
    if (!PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1)) fail();
}

/* Ends the round trip: reads the results of the given number of statements. */
static void receive(int count)
{
    if (!PQpipelineSync(connection)) fail();
    for (int place = 0; place <= count; place++) {
        PGresult *result = PQgetResult(connection);
        ExecStatusType status = PQresultStatus(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_PIPELINE_SYNC) fail();
        PQclear(result);
        if (place < count && PQgetResult(connection) != NULL) fail();
    }
}

/* The ids and key hashes of licenses from the whole table. */
static void sample(char *ids, char *hashes)
{
    PGresult *rows = PQexecParams(
        connection, "SELECT id, key_hash FROM licenses ORDER BY random() LIMIT 200000", 0, NULL, NULL, NULL, NULL, 1);
    int count = PQntuples(rows);
    if (PQresultStatus(rows) != PGRES_TUPLES_OK || count == 0) fail();
    for (int place = 0; place < KNOWN_HASHES; place++) {
        memcpy(ids + (size_t)place * 8, PQgetvalue(rows, place % count, 0), 8);
        memcpy(hashes + (size_t)place * HASH, PQgetvalue(rows, place % count, 1), HASH);
    }
    PQclear(rows);
}

static void activate(int count, const char *licenses, const char *hashes)
{
    int64_t now = time(NULL);
    char *ids = malloc((size_t)count * ID), *names = malloc((size_t)count * IDENTITY + 1);
    unsigned char machine[HASH];
    if (getrandom(ids, (size_t)count * ID, 0) < 0) exit(1);
    for (int place = 0; place < count; place++) {
        char *name = names + (size_t)place * IDENTITY;
        if (getrandom(machine, HASH, 0) != HASH) exit(1);
        memcpy(name, "m:", 2);
        for (int byte = 0; byte < HASH; byte++) sprintf(name + 2 + 2 * byte, "%02x", machine[byte]);
    }
    char limit[8];
    struct column most = {limit, 0};
    number(&most, 8, 10001);
    struct column tenants = same(count, "acme"), products = same(count, "notes");
    struct column identities = slice(TEXT, count, names, IDENTITY), moments = numbers(count, now);
    struct column activations = slice(UUID, count, ids, ID), owners = slice(INT8, count, licenses, 8);
    const struct column wanted[] = {
        start(INT8, 0, 0), start(TEXT, 0, 0), slice(BYTEA, count, hashes, HASH), tenants, products, identities,
        start(UUID, 0, 0), start(TEXT, 0, 0), most};
    const struct column saved[] = {
        activations, owners, moments, nulls(count), same(count, "Bench device"), identities};
    const struct column events[] = {
        moments, same(count, "activation.created"), tenants, products, owners, activations, same(count, "device"),
        same(count, "[{\"instanceName\":\"Bench device\"}]")};

    send_statement(BEGIN, NULL, 0);
    send_statement(SHARE_CATALOG, NULL, 0);
    send_statement(VERSION, NULL, 0);
    send_statement(LICENSES, wanted, 8);
    send_statement(BY_ID, &wanted[6], 1);
    send_statement(SEATS, wanted, 9);
    send_statement(KNOWN, wanted, 8);
    receive(7);
    send_statement(ACTIVATIONS, saved, 6);
    send_statement(EVENTS, events, 8);
    send_statement(COMMIT, NULL, 0);
    receive(3);

    for (int place = 0; place < 8; place++) free(wanted[place].bytes);
    const struct column others[] = {saved[0], saved[1], saved[2], saved[3], saved[4], events[1], events[6], events[7]};
    for (int place = 0; place < 8; place++) free(others[place].bytes);
    free(ids);
    free(names);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **words)
{
    if (count != 4 || atoi(words[2]) < 1 || atoi(words[2]) > KNOWN_HASHES || atoi(words[3]) < 1) {
        fprintf(stderr, "usage: bench-bare-postgres URL BATCH SECONDS\n");
        return 2;
    }
    int batch = atoi(words[2]);
    connection = PQconnectdb(words[1]);
    if (PQstatus(connection) != CONNECTION_OK) fail();
    char *ids = malloc(KNOWN_HASHES * 8), *hashes = malloc(KNOWN_HASHES * HASH);
    sample(ids, hashes);
    PQclear(PQexec(connection, settings));
    if (!PQenterPipelineMode(connection)) fail();
    for (int which = 0; which < STATEMENTS; which++) {
        char name[8];
        snprintf(name, sizeof name, "s%d", which);
        if (!PQsendPrepare(connection, name, texts[which], 0, NULL)) fail();
    }
    receive(STATEMENTS);

    long done = 0;
    int place = 0;
    double begin = seconds(), end = begin + atof(words[3]);
    while (seconds() < end) {
        if (place + batch > KNOWN_HASHES) place = 0;
        activate(batch, ids + (size_t)place * 8, hashes + (size_t)place * HASH);
        place += batch;
        done += batch;
    }
    printf("{\"activations\": %ld, \"rate\": %.0f}\n", done, (double)done / (seconds() - begin));
    PQfinish(connection);
    return 0;
}
