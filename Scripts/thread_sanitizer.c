// Linked into programs that run under ThreadSanitizer, which otherwise reports false races and crashes.
//
// Synchronization.Mutex changes hands in Swift's own library, which isn't instrumented, if threads compete for it: then
// the sanitizer sees neither the release nor the acquisition. These functions replace the library's, tell the sanitizer,
// and call the originals. Swift passes `self`, the address of the mutex, in the context register.

//
// Swift also reports the start of every inout access. For a value without size, such as a SystemRandomNumberGenerator,
// the address is undefined, and the sanitizer crashes on it (seen on Swift 6.3). `-Xlinker --wrap` leaves these reports
// out; the loads and stores themselves are instrumented.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

void __tsan_acquire(void *address);
void __tsan_release(void *address);

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF mutex) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

static void *original(void **kept, const char *name) {
    void *found = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (!found) {
        found = dlsym(RTLD_NEXT, name);
        __atomic_store_n(kept, found, __ATOMIC_RELEASE);
    }
    return found;
}

SWIFT void lock_slow(uint32_t thread, SELF mutex) {
    static void *kept;
    SWIFT void (*lock)(uint32_t, SELF) = original(&kept, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF mutex) {
    static void *kept;
    SWIFT bool (*lock)(SELF) = original(&kept, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool is_locked = lock(mutex);
    if (is_locked) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock_slow(SELF mutex) {
    static void *kept;
    SWIFT void (*unlock)(SELF) = original(&kept, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(mutex);
    unlock(mutex);
}

void __wrap___tsan_external_write(void *address, void *caller, void *tag) {
    (void)address, (void)caller, (void)tag;
}
