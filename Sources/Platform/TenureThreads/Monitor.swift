#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A value guarded by a mutex, with a condition variable to wait for changes.
// The lock is `mutex`: `state` is accessed only between its lock and unlock. It is stored behind a pointer, so that no
// exclusive access to it is active while one thread waits and others change it.
@safe package final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private let state: UnsafeMutablePointer<State>

    package init(_ state: sending State) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe self.state = .allocate(capacity: 1)
        unsafe self.state.initialize(to: state)
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
            unsafe pthread_cond_init(changed, nil)
        #else
            // Without this attribute, setting the wall clock would make timed waits end early or late.
            var attributes = pthread_condattr_t()
            unsafe pthread_condattr_init(&attributes)
            unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            unsafe pthread_cond_init(changed, &attributes)
            unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Accesses the value while holding the lock.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&state.pointee)
    }

    /// Changes the value and wakes one waiting thread, or all of them.
    package func change<Result>(wakingAll: Bool = false, _ body: (inout State) -> Result) -> Result {
        // The signal follows the release of the lock, because a thread that is woken earlier has to wait for the lock.
        defer { _ = unsafe wakingAll ? pthread_cond_broadcast(changed) : pthread_cond_signal(changed) }
        return withLock(body)
    }

    /// Blocks until the body returns a result, checking again after each change.
    package func wait<Result>(for body: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&state.pointee) { return result }
            unsafe pthread_cond_wait(changed, mutex)
        }
    }

    /// Blocks until the body returns a result or the deadline passes.
    ///
    /// The body runs once more after the deadline. If it still returns `nil`, so does this function.
    package func wait<Result>(until deadline: SteadyTime, for body: (inout State) -> Result?) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            let isOver = deadline.hasCome
            if let result = unsafe body(&state.pointee) { return result }
            if isOver { return nil }
            sleep(until: deadline)
        }
    }

    private func sleep(until deadline: SteadyTime) {
        #if canImport(Darwin)
            let left = SteadyTime.now().duration(to: deadline).components
            var time = timespec(tv_sec: Int(left.seconds), tv_nsec: Int(left.attoseconds / 1_000_000_000))
            unsafe pthread_cond_timedwait_relative_np(changed, mutex, &time)
        #else
            var time = timespec()
            time.tv_sec = time_t(deadline.nanoseconds / 1_000_000_000)
            time.tv_nsec = Int(deadline.nanoseconds % 1_000_000_000)
            unsafe pthread_cond_timedwait(changed, mutex, &time)
        #endif
    }
}
