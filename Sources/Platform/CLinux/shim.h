#include <sys/syscall.h>
#include <unistd.h>

/* The C library shows this to those alone who ask for its extensions, which Swift does not. */

/* Lets two names in folders change places in one step: -1, with errno, where the file system cannot. */
static inline int tenure_exchange(int folder, const char *name, int other_folder, const char *other_name)
{
    return (int)syscall(SYS_renameat2, folder, name, other_folder, other_name, 2u /* RENAME_EXCHANGE */);
}
