import TenureStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Starts a thread of its own for work that blocks. Nobody joins it: it says itself when it is done.
func startThread(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    let box = unsafe Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
        var thread: pthread_t?
    #else
        var thread: pthread_t = 0
    #endif
    let code = unsafe pthread_create(&thread, nil, runThreadBody, box.toOpaque())
    if code != 0 {
        unsafe box.release()
        throw StoreError(
            .failed, "The system refused another thread; raise the limit of processes for this user.",
            cause: unsafe String(cString: strerror(code)))
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
}

#if canImport(Darwin)
    private func runThreadBody(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run()
        return nil
    }
#else
    private func runThreadBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let box = unsafe box { unsafe Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().run() }
        return nil
    }
#endif
