// Delays every fsync and fdatasync by the milliseconds in the file that SLOW_DISK names. Load it with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void) {
    char text[32] = {0};
    const char *path = getenv("SLOW_DISK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    long milliseconds = length > 0 ? atol(text) : 0;
    if (milliseconds <= 0) return;
    struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&pause, NULL);
}

int fsync(int file) {
    static int (*system_fsync)(int);
    if (!system_fsync) *(void **)&system_fsync = dlsym(RTLD_NEXT, "fsync");
    wait_for_disk();
    return system_fsync(file);
}

int fdatasync(int file) {
    static int (*system_fdatasync)(int);
    if (!system_fdatasync) *(void **)&system_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    wait_for_disk();
    return system_fdatasync(file);
}
