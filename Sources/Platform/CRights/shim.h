#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Lets this thread keep root's permitted capabilities when its process switches to another user. */
static inline int tenure_keep_rights(void)
{
    return prctl(PR_SET_KEEPCAPS, 1L, 0L, 0L, 0L);
}

/* Drops all capabilities of this thread except CAP_DAC_OVERRIDE, which bypasses file permission checks. */
static inline int tenure_keep_file_rights_alone(void)
{
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct rights[2] = {{0, 0, 0}, {0, 0, 0}};
    rights[0].permitted = rights[0].effective = 1u << CAP_DAC_OVERRIDE;
    return (int)syscall(SYS_capset, &head, rights);
}
