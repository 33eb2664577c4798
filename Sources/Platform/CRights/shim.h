#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Lets this thread keep what root may do when its process becomes another user. */
static inline int tenure_keep_rights(void)
{
    return prctl(PR_SET_KEEPCAPS, 1L, 0L, 0L, 0L);
}

/* Leaves this thread, of all that it kept, only to pass by the permissions of files. */
static inline int tenure_keep_file_rights_alone(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct rights[2] = {{0, 0, 0}, {0, 0, 0}};
    rights[0].permitted = rights[0].effective = 1u << CAP_DAC_OVERRIDE;
    return (int)syscall(SYS_capset, &head, rights);
}
