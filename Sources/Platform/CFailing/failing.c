#define _GNU_SOURCE
#include "CFailing.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The signal handlers below call only functions that are safe to call from a signal handler. */

static void tenure_say(const char *line)
{
    ssize_t written = write(2, line, strlen(line));
    (void)written;
}

static void tenure_on_crash(int number)
{
    char line[] = "{\"level\":\"error\",\"event\":\"crashed\",\"signal\":00}\n";
    char *digits = strchr(line, '0');
    digits[0] = (char)('0' + number / 10);
    digits[1] = (char)('0' + number % 10);
    if (digits[0] == '0') digits[0] = ' ';
    tenure_say(line);
    /* A faulting instruction would raise the signal again on return, but another process's signal isn't repeated. */
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static uintptr_t tenure_page_size;

/* Handles access to a page of a mapped file that another process has truncated. The page is replaced by zeros, which
   the reader detects as damage. The replacement is read-only, so writing to it, as to SQLite's WAL index, ends the
   process. */
static void tenure_on_missing_page(int number, siginfo_t *info, void *context)
{
    static volatile sig_atomic_t told;
    int error = errno;
    (void)context;
    if (info->si_code == BUS_ADRERR) {
        void *page = (void *)((uintptr_t)info->si_addr & ~(tenure_page_size - 1));
        void *zeros = mmap(page, tenure_page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        if (zeros == page) {
            if (!told) tenure_say("{\"level\":\"error\",\"event\":\"store_cut_short\"}\n");
            told = 1;
            errno = error;
            return;
        }
    }
    tenure_on_crash(number);
}

void tenure_keep_secrets_when_failing(void)
{
    static const int fatal[] = {SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT, SIGSYS};
    struct rlimit none = {0, 0};
    struct sigaction action;
    size_t place;
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    tenure_page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    memset(&action, 0, sizeof action);
    action.sa_handler = tenure_on_crash;
    action.sa_flags = (int)SA_RESETHAND;
    for (place = 0; place < sizeof fatal / sizeof *fatal; place++) (void)sigaction(fatal[place], &action, NULL);
    action.sa_sigaction = tenure_on_missing_page;
    action.sa_flags = SA_SIGINFO;
    (void)sigaction(SIGBUS, &action, NULL);
}
