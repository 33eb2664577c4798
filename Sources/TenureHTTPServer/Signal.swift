import Glibc

/// Wakes one thread that waits with a time limit.
final class Signal: Sendable {
    private let reader: Int32
    private let writer: Int32

    init() throws(HTTPServerError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw HTTPServerError(
                .noResources, "No descriptor is left to start the server with; raise the limit of open files.",
                errno: errno)
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        _ = Glibc.close(reader)
        _ = Glibc.close(writer)
    }

    func raise() {
        // A full pipe has woken the waiter already.
        var byte: UInt8 = 0
        _ = unsafe write(writer, &byte, 1)
    }

    /// Returns when the signal is raised or the time is over.
    func wait(milliseconds: Int32) {
        var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, milliseconds) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 256)
        _ = unsafe Glibc.read(reader, &bytes, bytes.count)
    }
}
