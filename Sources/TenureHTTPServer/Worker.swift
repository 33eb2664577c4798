import CMicrohttpd

/// One event thread's own things; libmicrohttpd hands it to every callback of that thread's daemon.
final class Worker {
    let shared: Shared
    var ids = RequestIDs()

    init(shared: Shared) {
        self.shared = shared
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> Worker? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe Unmanaged<Worker>.fromOpaque(pointer).takeUnretainedValue()
    }
}
