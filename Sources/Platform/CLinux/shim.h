#include <sys/syscall.h>
#include <unistd.h>

/* The C library declares renameat2 only if _GNU_SOURCE is defined, which Swift's importer doesn't do. */

/* Atomically exchanges two directory entries. Returns -1 and sets errno if the file system doesn't support that. */
static inline int tenure_exchange(int folder, const char *name, int other_folder, const char *other_name)
{
    return (int)syscall(SYS_renameat2, folder, name, other_folder, other_name, 2u /* RENAME_EXCHANGE */);
}
