/* Bare loops for contents: the statements for renewing many licenses, those for a callback with ten checks, and an
 * append to a file with its fsync. They show what SQLite and the disk allow.
 *
 * The statements repeat those that Sources/Platform/TenureSQLite generates from the queries and tables of
 * Sources/Content/TenureContentServer; the names repeat those of Benchmarks/Contents. Change both together. */
#include "../Bare/bare.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CONTENTS = 100, CHECKS = 10, HOLDERS = 200, HASH = 32, REQUEST = 26 };

#define COLUMNS                                                                                                        \
    "id, tenant, holder, enrolment_id, content, device, grant_enrolment_id, request, version, issued_at, "            \
    "grant_settled, not_before, expires_at, window_after_first_play, plays, play_seconds, play_time_basis, "          \
    "count_after_seconds, resume_within_seconds, check_in_by, online_required, ask_before_renew, renew_from, "        \
    "renew_until, grace_seconds, when_over, ledger, state, stopped_at, is_released, is_reset, counts_from, "          \
    "used_plays, used_seconds, settled, first_play_at, downloaded_at, last_seen_at"

static sqlite3_stmt *begin, *commit, *version, *kept, *enrolments, *places, *takings, *counter, *token, *license, *renewed,
    *event, *reply, *of_content, *device_row;

/* A holder that `bench-contents seed` enrolled: its number, the hash of its token, and its device. */
struct holder {
    int number;
    unsigned char hash[HASH], device[HASH];
};

static struct holder holders[HOLDERS];

static void prepare(void)
{
    begin = prepared("BEGIN IMMEDIATE");
    commit = prepared("COMMIT");
    version = prepared("SELECT version FROM catalog_version");
    kept = prepared("SELECT fingerprint, reply, at FROM content_replies WHERE request = ?1");
    enrolments = prepared(
        "SELECT id, scope, policy, starts_at, ends_at, reference, made_at, state, ended_at FROM enrolments "
        "WHERE tenant = ?1 AND holder = ?2 ORDER BY id");
    places = prepared("SELECT device, state, counts_until FROM enrolment_devices WHERE enrolment_id = ?1");
    takings = prepared("SELECT at, device FROM enrolment_device_changes WHERE enrolment_id = ?1 ORDER BY at DESC LIMIT 1001");
    token = prepared(
        "SELECT tenant, holder, kind, device, created_at, expires_at, ended_at, released_at FROM holder_credentials "
        "WHERE hash = ?1");
    license = prepared("SELECT " COLUMNS " FROM content_licenses WHERE id = ?1");
    renewed = prepared(
        "UPDATE content_licenses SET request = ?2, version = ?3, issued_at = ?4, expires_at = ?5, renew_from = ?6, "
        "counts_from = ?3, last_seen_at = ?4 WHERE id = ?1");
    event = prepared(
        "INSERT INTO events "
        "(at, kind, tenant, product, license_id, actor, detail, enrolment_id, content_license_id, sequence) "
        "VALUES (?1, 'content.renewed', 'acme', '', 0, 'device', ?2, ?3, ?4, "
        "(SELECT last FROM event_counters WHERE tenant = 'acme'))");
    counter = prepared(
        "INSERT INTO event_counters (tenant, last) VALUES ('acme', 1) ON CONFLICT (tenant) DO UPDATE SET last = last + 1");
    reply = prepared("INSERT INTO content_replies (request, fingerprint, reply, at) VALUES (?1, ?2, ?3, ?4)");
    of_content = prepared(
        "SELECT " COLUMNS " FROM content_licenses WHERE tenant = ?1 AND holder = ?2 AND device = ?3 AND content = ?4");
    device_row = prepared("SELECT name FROM content_devices WHERE tenant = ?1 AND holder = ?2 AND device = ?3");
}

/* Chooses holders from the whole table. */
static void choose_holders(void)
{
    sqlite3_stmt *most = prepared("SELECT max(id) FROM enrolments");
    sqlite3_stmt *credential = prepared(
        "SELECT hash, device FROM holder_credentials WHERE tenant = 'acme' AND holder = ?1");
    int count = (int)run(most);
    for (int place = 0; place < HOLDERS; place++) {
        char name[16];
        holders[place].number = (int)((long)place * count / HOLDERS);
        snprintf(name, sizeof name, "h%06d", holders[place].number);
        text(credential, 1, name);
        check(sqlite3_step(credential));
        memcpy(holders[place].hash, sqlite3_column_blob(credential, 0), HASH);
        memcpy(holders[place].device, sqlite3_column_blob(credential, 1), HASH);
        check(sqlite3_reset(credential));
    }
}

static void look_at_holder(const struct holder *holder, const char *name)
{
    text(enrolments, 1, "acme");
    text(enrolments, 2, name);
    run(enrolments);
    number(places, 1, holder->number + 1);
    run(places);
    number(takings, 1, holder->number + 1);
    run(takings);
}

static void renew(const struct holder *holder, const unsigned char *answer, int size)
{
    unsigned char request[HASH];
    char name[16], label[REQUEST + 1];
    sqlite3_int64 now = time(NULL);
    sqlite3_randomness(HASH, request);
    for (int place = 0; place < REQUEST; place++) label[place] = (char)('a' + request[place] % 26);
    label[REQUEST] = 0;
    snprintf(name, sizeof name, "h%06d", holder->number);
    run(begin);
    run(version);
    blob(kept, 1, request, HASH);
    run(kept);
    look_at_holder(holder, name);
    blob(token, 1, holder->hash, HASH);
    run(token);
    for (int content = 0; content < CONTENTS; content++) {
        number(license, 1, (sqlite3_int64)holder->number * CONTENTS + content + 1);
        run(license);
    }
    for (int content = 0; content < CONTENTS; content++) {
        sqlite3_int64 id = (sqlite3_int64)holder->number * CONTENTS + content + 1;
        number(renewed, 1, id);
        text(renewed, 2, label);
        number(renewed, 3, now % 1000 + 2);
        number(renewed, 4, now);
        number(renewed, 5, now + 30 * 86400);
        number(renewed, 6, now + 27 * 86400);
        run(renewed);
        number(event, 1, now);
        text(event, 2, "[{\"version\":2},{\"expiresAt\":1797843600},{\"ledger\":\"reset\"}]");
        number(event, 3, holder->number + 1);
        number(event, 4, id);
        run(counter);
        run(event);
    }
    blob(reply, 1, request, HASH);
    blob(reply, 2, request, HASH);
    blob(reply, 3, answer, size);
    number(reply, 4, now);
    run(reply);
    run(commit);
}

static void check_ten(const struct holder *holder)
{
    unsigned char request[HASH];
    char name[16], content[16];
    snprintf(name, sizeof name, "h%06d", holder->number);
    sqlite3_randomness(HASH, request);
    run(begin);
    run(version);
    for (int item = 0; item < CHECKS; item++) {
        request[0]++;
        blob(kept, 1, request, HASH);
        run(kept);
    }
    look_at_holder(holder, name);
    for (int item = 0; item < CHECKS; item++) {
        snprintf(content, sizeof content, "c%03d", item);
        text(of_content, 1, "acme");
        text(of_content, 2, name);
        blob(of_content, 3, holder->device, HASH);
        text(of_content, 4, content);
        run(of_content);
    }
    text(device_row, 1, "acme");
    text(device_row, 2, name);
    blob(device_row, 3, holder->device, HASH);
    run(device_row);
    run(commit);
}

static double cpu(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static int by_size(const void *one, const void *other)
{
    double difference = *(const double *)one - *(const double *)other;
    return (difference > 0) - (difference < 0);
}

/* Appends to a file and waits for the disk, `count` times. */
static int append(const char *path, int size, int count)
{
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_TRUNC, 0600);
    char *bytes = malloc((size_t)size);
    double *taken = malloc((size_t)count * sizeof *taken), total = 0;
    if (file < 0 || !bytes || !taken) return 1;
    memset(bytes, 'x', (size_t)size);
    for (int turn = 0; turn < count; turn++) {
        double start = seconds();
        if (write(file, bytes, (size_t)size) != size || fdatasync(file) != 0) return 1;
        total += taken[turn] = (seconds() - start) * 1e6;
    }
    qsort(taken, (size_t)count, sizeof *taken, by_size);
    printf("{\"mean\": %.1f, \"p50\": %.1f, \"p99\": %.1f}\n", total / count, taken[count / 2], taken[count * 99 / 100]);
    return 0;
}

int main(int count, char **words)
{
    const char *verb = count > 1 ? words[1] : "";
    if (strcmp(verb, "append") == 0 && count == 5) return append(words[2], atoi(words[3]), atoi(words[4]));
    int renews = strcmp(verb, "renew") == 0 && count == 5, checks = strcmp(verb, "checks") == 0 && count == 4;
    if (!renews && !checks) {
        fprintf(stderr, "usage: bench-bare-contents renew DATABASE REPLY-BYTES SECONDS | checks DATABASE SECONDS | "
                        "append FILE BYTES COUNT\n");
        return 2;
    }
    open_database(words[2]);
    prepare();
    choose_holders();
    int size = renews ? atoi(words[3]) : 0;
    unsigned char *answer = calloc(1, (size_t)size + 1);
    long done = 0;
    double before = cpu(), start = seconds(), end = start + atof(words[count - 1]);
    for (; seconds() < end; done++) {
        const struct holder *holder = &holders[done % HOLDERS];
        if (renews) renew(holder, answer, size); else check_ten(holder);
    }
    printf("{\"requests\": %ld, \"cpu\": %.2f}\n", done, (cpu() - before) / (double)done);
    return 0;
}
