// Makes every sync to disk fail while the file exists that FAILING_SYNC names. Tests load it with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define SYNC(name)                                                          \
    int name(int file) {                                                    \
        static int (*next)(int);                                            \
        if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name);               \
        const char *path = getenv("FAILING_SYNC");                          \
        if (!path || access(path, F_OK) != 0) return next(file);            \
        errno = EIO;                                                        \
        return -1;                                                          \
    }

SYNC(fdatasync)
SYNC(fsync)
