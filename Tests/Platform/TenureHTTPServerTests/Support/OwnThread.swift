import Glibc

private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs a blocking body on a separate thread, so that it doesn't occupy the threads that the handlers use.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        let work = Unmanaged.passRetained(Work { continuation.resume(returning: body()) })
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                Unmanaged<Work>.fromOpaque(pointer!).takeRetainedValue().run()
                return nil
            }, work.toOpaque())
        precondition(result == 0, "no thread for the test")
        pthread_detach(thread)
    }
}
