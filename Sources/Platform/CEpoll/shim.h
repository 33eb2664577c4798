#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Accepts a connection, whose descriptor is non-blocking and isn't inherited. Returns -1 and sets errno on failure.

   The C library declares accept4 only if _GNU_SOURCE is defined, which Swift's importer doesn't do. */
static inline int tenure_accept(int listener, struct sockaddr *address, socklen_t *length)
{
    return (int)syscall(SYS_accept4, listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Names the current thread. Swift can't call variadic functions. */
static inline void tenure_name_thread(const char *name)
{
    prctl(PR_SET_NAME, name, 0, 0, 0);
}
