#if !canImport(Darwin)
    import Glibc

    private final class Body {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a thread of its own, which nobody waits for.
    func onThread(_ run: @escaping @Sendable () -> Void) throws(TransportError) {
        let body = unsafe Unmanaged.passRetained(Body(run: run))
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread, nil,
            { pointer in
                if let pointer = unsafe pointer { unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        guard result == 0 else {
            unsafe body.release()
            throw TransportError(.noResources, "A thread could not be started; raise the limit of threads.")
        }
        pthread_detach(thread)
    }
#endif
