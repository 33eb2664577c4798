#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The system couldn't create a thread, because a process limit or the memory is exhausted.
package struct ThreadError: Error, CustomStringConvertible {
    /// The error number that `pthread_create` returned.
    package let number: Int32

    /// The error message, which names the fault and the remedy, for operators.
    package var description: String { "The system refused another thread; raise the limit of processes for this user." }

    /// The system's message for the error number.
    package var cause: String { unsafe String(cString: strerror(number)) }
}

/// Starts a detached thread for work that blocks.
///
/// The thread can't be joined; the closure has to signal when it is done.
package func startThread(_ run: @escaping @Sendable () -> Void) throws(ThreadError) {
    let body = unsafe Unmanaged.passRetained(ThreadBody(run))
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread = pthread_t()
    #endif
    let number = unsafe pthread_create(
        &thread, nil,
        { body in
            unsafe ThreadBody.run(body)
            return nil
        }, body.toOpaque())
    guard number == 0 else {
        unsafe body.release()
        throw ThreadError(number: number)
    }
    #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
        pthread_detach(thread)
    #endif
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }

    static func run(_ body: UnsafeMutableRawPointer?) {
        if let body = unsafe body { unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
    }
}
