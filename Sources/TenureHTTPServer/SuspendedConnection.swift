import CMicrohttpd

/// A connection that libmicrohttpd has put aside.
///
/// Sendable without a check because it lives inside the lock of `Completion.state` only, and because the one thing
/// done with it, resuming, is what libmicrohttpd allows from any thread.
@safe struct SuspendedConnection: @unchecked Sendable {
    private let pointer: OpaquePointer

    init(suspending pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        unsafe MHD_suspend_connection(pointer)
    }

    func resume() {
        unsafe MHD_resume_connection(pointer)
    }
}
