#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Swift can't import SQLITE_TRANSIENT, which is a cast. It makes SQLite copy the bound value before these return. */
static inline int tenure_sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text, int length) {
    return sqlite3_bind_text(statement, place, length == 0 ? "" : text, length, SQLITE_TRANSIENT);
}

static inline int tenure_sqlite_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    if (length == 0) return sqlite3_bind_zeroblob(statement, place, 0);
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_TRANSIENT);
}

/* Binds a text without copying it; its bytes must not change before the statement is used again. */
static inline int tenure_sqlite_bind_kept_text(sqlite3_stmt *statement, int place, const void *text, int length) {
    return sqlite3_bind_text(statement, place, (const char *)text, length, SQLITE_STATIC);
}

static inline int tenure_sqlite_bind_kept_blob(sqlite3_stmt *statement, int place, const void *bytes, int length) {
    return sqlite3_bind_blob(statement, place, bytes, length, SQLITE_STATIC);
}

/* SQLite's memory. Debian builds SQLite without its own cache of small blocks (lookaside), so every cursor of every
   statement would call malloc, and every transaction would call it for each page that it changes. Each thread keeps a
   few freed blocks of each class. The size of a block is stored in front of it. */
enum { tenure_sqlite_classes = 8, tenure_sqlite_kept = 16, tenure_sqlite_head = 16 };

/* The size of the blocks of a class. A cached page of the database takes 4,376 bytes, and distributing the rows of a
   full page over several takes about 10,000. */
static inline int tenure_sqlite_class_size(int class) {
    static const int sizes[tenure_sqlite_classes] = {64, 128, 256, 512, 1024, 2304, 4608, 10240};
    return sizes[class];
}

typedef struct tenure_sqlite_block {
    struct tenure_sqlite_block *next;
} tenure_sqlite_block;

typedef struct {
    tenure_sqlite_block *first;
    int count;
} tenure_sqlite_free_list;

/* The freed blocks of this thread, by class. The variable is in a function, because Swift emits none of a header. */
static inline tenure_sqlite_free_list *tenure_sqlite_free_lists(void) {
    static _Thread_local tenure_sqlite_free_list lists[tenure_sqlite_classes];
    return lists;
}

/* The class whose blocks have at least this size; beyond the last class if there is none. */
static inline int tenure_sqlite_class(int size) {
    int class = 0;
    while (class < tenure_sqlite_classes && tenure_sqlite_class_size(class) < size) class++;
    return class;
}

static inline int tenure_sqlite_size(void *block) {
    return *(int *)((char *)block - tenure_sqlite_head);
}

static inline int tenure_sqlite_round_up(int size) {
    int class = tenure_sqlite_class(size);
    return class < tenure_sqlite_classes ? tenure_sqlite_class_size(class) : (size + 7) & ~7;
}

static inline void *tenure_sqlite_allocate(int size) {
    int class = tenure_sqlite_class(size);
    if (class < tenure_sqlite_classes) {
        tenure_sqlite_free_list *list = tenure_sqlite_free_lists() + class;
        tenure_sqlite_block *block = list->first;
        if (block) {
            list->first = block->next;
            list->count--;
            return block;
        }
    }
    size = tenure_sqlite_round_up(size);
    char *whole = malloc((size_t)size + tenure_sqlite_head);
    if (!whole) return 0;
    *(int *)whole = size;
    return whole + tenure_sqlite_head;
}

static inline void tenure_sqlite_free(void *block) {
    if (!block) return;
    int class = tenure_sqlite_class(tenure_sqlite_size(block));
    if (class < tenure_sqlite_classes) {
        tenure_sqlite_free_list *list = tenure_sqlite_free_lists() + class;
        if (list->count < tenure_sqlite_kept) {
            ((tenure_sqlite_block *)block)->next = list->first;
            list->first = block;
            list->count++;
            return;
        }
    }
    free((char *)block - tenure_sqlite_head);
}

static inline void *tenure_sqlite_reallocate(void *block, int size) {
    int old = tenure_sqlite_size(block), rounded = tenure_sqlite_round_up(size);
    if (rounded == old) return block;
    int largest = tenure_sqlite_class_size(tenure_sqlite_classes - 1);
    if (old > largest && rounded > largest) {
        char *whole = realloc((char *)block - tenure_sqlite_head, (size_t)rounded + tenure_sqlite_head);
        if (!whole) return 0;
        *(int *)whole = rounded;
        return whole + tenure_sqlite_head;
    }
    void *moved = tenure_sqlite_allocate(size);
    if (!moved) return 0;
    memcpy(moved, block, (size_t)(old < size ? old : size));
    tenure_sqlite_free(block);
    return moved;
}

static inline int tenure_sqlite_begin_memory(void *context) {
    (void)context;
    return SQLITE_OK;
}

static inline void tenure_sqlite_end_memory(void *context) { (void)context; }

/* Disables memory statistics, which take a global lock at every allocation, and the preallocation of page caches.
   By default, every page cache starts with twenty pages. A statement with a list, such as that of a CHECK constraint,
   creates a temporary table each time it runs, which seldom fills one page. Also installs the functions above that
   allocate memory. The calls fail without effect once SQLite has been initialized. */
static inline int tenure_sqlite_set_up_process(void) {
    static const sqlite3_mem_methods memory = {
        tenure_sqlite_allocate, tenure_sqlite_free, tenure_sqlite_reallocate, tenure_sqlite_size,
        tenure_sqlite_round_up, tenure_sqlite_begin_memory, tenure_sqlite_end_memory, 0,
    };
    int code = sqlite3_config(SQLITE_CONFIG_MALLOC, &memory);
    if (!code) code = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    return code ? code : sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}

/* Whether this thread has waited for a page or block of a file since it last called this. */
static inline int tenure_thread_has_read_disk(void) {
    static _Thread_local long seen;
    struct rusage usage;
    /* RUSAGE_THREAD, which the C library declares only if _GNU_SOURCE is defined. */
    if (getrusage(1, &usage)) return 0;
    long reads = usage.ru_majflt + usage.ru_inblock;
    if (reads == seen) return 0;
    seen = reads;
    return 1;
}

/* The 48-byte header of the WAL index (sqlite.org/walformat.html, section 2.1), which every commit of every process
   changes. The 32-bit word at offset 16 is the number of frames in the WAL. */
typedef struct {
    unsigned long long words[6];
} tenure_sqlite_log_header;

/* Returns the address of the mapped header, once a statement has read the database; null for a database without a WAL.
   The VFS supplies it, because closing a file descriptor of our own would release SQLite's locks. */
static inline const volatile void *tenure_sqlite_log_index(sqlite3 *database) {
    sqlite3_file *file = 0;
    volatile void *region = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods || file->pMethods->iVersion < 2) return 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK) return 0;
    return region;
}

static inline tenure_sqlite_log_header tenure_sqlite_read_log_header(const volatile void *index) {
    tenure_sqlite_log_header header;
    __sync_synchronize();
    for (int place = 0; place < 6; place++) {
        header.words[place] = ((const volatile unsigned long long *)index)[place];
    }
    return header;
}

static inline int tenure_sqlite_log_header_is(const volatile void *index, const tenure_sqlite_log_header *seen) {
    tenure_sqlite_log_header now = tenure_sqlite_read_log_header(index);
    unsigned long long difference = 0;
    for (int place = 0; place < 6; place++) difference |= now.words[place] ^ seen->words[place];
    return difference == 0;
}

static inline unsigned int tenure_sqlite_log_length(const volatile void *index) {
    return ((const volatile unsigned int *)index)[4];
}

/* The number of frames that have been copied into the database, behind the two copies of the header. */
static inline unsigned int tenure_sqlite_log_copied(const volatile void *index) {
    return ((const volatile unsigned int *)index)[24];
}
