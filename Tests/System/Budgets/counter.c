// Counts a program's allocations and system calls in the file that COUNTS names, which the test process maps, too.
// Loaded with LD_PRELOAD.
//
// The file begins with the counts. If it is long enough, a table of call stacks follows. It's filled while `recording`
// is set.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DEPTH = 30, STACKS = 1 << 14 };

struct stack {
    _Atomic uint64_t hash, count, bytes;
    uint64_t frames[DEPTH];
};

static struct counts {
    _Atomic uint64_t allocations, bytes, calls;
    _Atomic uint64_t recording;
    struct stack stacks[];
} *counts;

static size_t room;
// Set while a call stack is recorded, so that allocations by backtrace() aren't counted.
static _Thread_local int inside;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("COUNTS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat about;
    if (file < 0 || fstat(file, &about) != 0) abort();
    void *map = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map == MAP_FAILED) abort();
    void *warm[2];
    backtrace(warm, 2);
    room = ((size_t)about.st_size - sizeof *counts) / sizeof(struct stack);
    counts = map;
}

static void record(size_t size) {
    void *frames[DEPTH + 2];
    int depth = backtrace(frames, DEPTH + 2) - 2;
    uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < depth; i++) hash = (hash ^ (uintptr_t)frames[i + 2]) * 1099511628211u;
    hash |= 1;
    for (size_t i = hash % room, tries = 0; tries < room; i = (i + 1) % room, tries++) {
        struct stack *stack = &counts->stacks[i];
        uint64_t none = 0;
        if (atomic_compare_exchange_strong(&stack->hash, &none, hash))
            for (int frame = 0; frame < depth; frame++) stack->frames[frame] = (uintptr_t)frames[frame + 2];
        else if (none != hash) continue;
        atomic_fetch_add(&stack->count, 1);
        atomic_fetch_add(&stack->bytes, size);
        return;
    }
}

static void allocated(size_t size) {
    if (!counts || inside) return;
    atomic_fetch_add_explicit(&counts->allocations, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counts->bytes, size, memory_order_relaxed);
    if (!room || !atomic_load_explicit(&counts->recording, memory_order_relaxed)) return;
    inside = 1;
    record(size);
    inside = 0;
}

// The allocator's internal names, because dlsym can't be called yet at the first allocations.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
    allocated(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocated(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
    allocated(size);
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocated(size);
    return __libc_memalign(alignment, size);
}

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    allocated(size);
    char *copy = __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    allocated(size);
    *place = __libc_memalign(alignment, size);
    return *place ? 0 : 12;
}

// Wrappers that count the system calls that a server makes while it handles requests.
#define CALL(result, name, parameters, arguments)                                            \
    result name parameters {                                                                 \
        static result(*next) parameters;                                                     \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);                                 \
        if (counts) atomic_fetch_add_explicit(&counts->calls, 1, memory_order_relaxed);      \
        return next arguments;                                                               \
    }

CALL(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
CALL(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
CALL(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count))
CALL(ssize_t, pread64, (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
CALL(ssize_t, pwrite64, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
CALL(int, fdatasync, (int file), (file))
CALL(int, fsync, (int file), (file))
CALL(ssize_t, recvfrom,
    (int file, void *bytes, size_t count, int flags, struct sockaddr *from, socklen_t *size),
    (file, bytes, count, flags, from, size))
CALL(ssize_t, recv, (int file, void *bytes, size_t count, int flags), (file, bytes, count, flags))
CALL(ssize_t, send, (int file, const void *bytes, size_t count, int flags), (file, bytes, count, flags))
CALL(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags))
CALL(ssize_t, sendfile, (int to, int from, off_t *at, size_t count), (to, from, at, count))
CALL(int, epoll_wait, (int file, struct epoll_event *events, int count, int wait), (file, events, count, wait))
CALL(int, epoll_ctl, (int file, int what, int other, struct epoll_event *event), (file, what, other, event))
