#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>
#include <microhttpd.h>

/* Swift cannot call variadic functions; each of these wraps one of them for the options we use. */

static inline struct MHD_Daemon *tenure_mhd_start(
    unsigned int flags, int listen_fd, void *cls, MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback notify, void *(*target)(void *, const char *, struct MHD_Connection *),
    size_t (*unescape)(void *, struct MHD_Connection *, char *), size_t memory_limit, unsigned int connection_limit,
    unsigned int idle_seconds)
{
    return MHD_start_daemon(
        flags, 0, NULL, NULL, access, cls,
        MHD_OPTION_LISTEN_SOCKET, listen_fd,
        MHD_OPTION_NOTIFY_COMPLETED, completed, cls,
        MHD_OPTION_NOTIFY_CONNECTION, notify, cls,
        MHD_OPTION_URI_LOG_CALLBACK, target, cls,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, cls,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_limit,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_END);
}

static inline int tenure_mhd_connection_fd(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* The address of the other end; NULL for a connection that has none. */
static inline const struct sockaddr *tenure_mhd_connection_address(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline void *tenure_mhd_connection_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* What libmicrohttpd receives with. It names no such function among its options, so its own reference to the system's
   `recv` is what is changed; nobody else's. */
typedef ssize_t (*tenure_mhd_receive)(int, void *, size_t, int);

struct tenure_mhd_image {
    ElfW(Addr) base;
    const ElfW(Sym) *symbols;
    const char *names;
    /* What is read-only once the program has been linked. */
    ElfW(Addr) sealed, sealed_end;
};

static inline int tenure_mhd_redirect(
    const struct tenure_mhd_image *image, const ElfW(Rela) *entries, size_t bytes, tenure_mhd_receive receive)
{
    int changed = 0;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (entries == NULL)
        return 0;
    for (size_t index = 0; index < bytes / sizeof(*entries); index++) {
        size_t symbol = (size_t)ELF64_R_SYM(entries[index].r_info);
        if (symbol == 0 || strcmp(image->names + image->symbols[symbol].st_name, "recv") != 0)
            continue;
        ElfW(Addr) place = image->base + entries[index].r_offset;
        void *start = (void *)(place & ~(ElfW(Addr))(page - 1));
        int is_sealed = place >= image->sealed && place < image->sealed_end;
        if (is_sealed && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
            continue;
        *(tenure_mhd_receive *)place = receive;
        if (is_sealed)
            mprotect(start, page, PROT_READ);
        changed = 1;
    }
    return changed;
}

static inline int tenure_mhd_visit(struct dl_phdr_info *object, size_t size, void *receive)
{
    const ElfW(Dyn) *entry = NULL;
    const ElfW(Rela) *calls = NULL, *others = NULL;
    struct tenure_mhd_image image = { object->dlpi_addr, NULL, NULL, 0, 0 };
    size_t calls_size = 0, others_size = 0;
    (void)size;
    if (object->dlpi_name == NULL || strstr(object->dlpi_name, "libmicrohttpd.so") == NULL)
        return 0;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(object->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_GNU_RELRO) {
            image.sealed = object->dlpi_addr + part->p_vaddr;
            image.sealed_end = image.sealed + part->p_memsz;
        }
    }
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_JMPREL: calls = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: calls_size = entry->d_un.d_val; break;
        case DT_RELA: others = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
        case DT_RELASZ: others_size = entry->d_un.d_val; break;
        case DT_SYMTAB: image.symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
        case DT_STRTAB: image.names = (const char *)entry->d_un.d_ptr; break;
        default: break;
        }
    }
    if (image.symbols == NULL || image.names == NULL)
        return 0;
    return tenure_mhd_redirect(&image, calls, calls_size, (tenure_mhd_receive)receive)
        | tenure_mhd_redirect(&image, others, others_size, (tenure_mhd_receive)receive);
}

/* Lets libmicrohttpd receive with another function than `recv`, from now on; 0 when it is not found. Call it once, before
   any daemon is started. */
static inline int tenure_mhd_receive_with(tenure_mhd_receive receive)
{
    return dl_iterate_phdr(tenure_mhd_visit, (void *)receive);
}
