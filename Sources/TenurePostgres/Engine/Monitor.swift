#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value that one thread at a time may touch, and on whose change others can wait.
// The lock is `mutex`: `state` is touched only between its lock and unlock. It lives behind a pointer, so that no
// exclusive access to it lasts while a thread waits and others change it.
@safe final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private let state: UnsafeMutablePointer<State>

    init(_ state: sending State) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        unsafe self.state = .allocate(capacity: 1)
        unsafe self.state.initialize(to: state)
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(changed, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(changed)
        unsafe pthread_mutex_destroy(mutex)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        unsafe changed.deallocate()
        unsafe mutex.deallocate()
    }

    /// Touches the value.
    func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try unsafe body(&state.pointee)
    }

    /// Changes the value and wakes one thread that waits.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        withLock { state in
            defer { unsafe pthread_cond_signal(changed) }
            return body(&state)
        }
    }

    /// Changes the value and wakes all threads that wait.
    func changeForAll<Result>(_ body: (inout State) -> Result) -> Result {
        withLock { state in
            defer { unsafe pthread_cond_broadcast(changed) }
            return body(&state)
        }
    }

    /// Waits until the body finds what it looks for.
    func wait<Result>(for body: (inout State) -> Result?) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while true {
            if let result = unsafe body(&state.pointee) { return result }
            unsafe pthread_cond_wait(changed, mutex)
        }
    }
}
