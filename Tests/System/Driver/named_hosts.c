// Resolves db1.example to db4.example as 127.0.0.1 to 127.0.0.4, so that commands with the names of several hosts run on one
// machine. Tests load it with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    static int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
    char address[] = "127.0.0.1", end;
    int number;
    if (name && sscanf(name, "db%1d.exampl%c", &number, &end) == 2 && end == 'e' && number >= 1 && number <= 4) {
        address[8] = (char)('0' + number);
        name = address;
    }
    return next(name, service, hints, found);
}
