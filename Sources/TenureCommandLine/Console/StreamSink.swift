import Glibc
import Synchronization

/// A standard stream of the process, written at once and without a buffer.
package final class StreamSink: TextSink {
    private let descriptor: Int32
    private let endsWhenClosed: Bool
    private let firstProblem = Mutex<String?>(nil)

    /// Whether the stream is a terminal that understands more than plain text.
    package let isTerminal: Bool

    /// Opens a sink on a descriptor that stays the process's own.
    ///
    /// - Parameter endsWhenClosed: Whether the process ends, as by SIGPIPE, once nobody reads any more. True for
    ///   answers (`tenure license list | head`); false for notes, which a server must survive losing.
    package init(_ descriptor: Int32, endsWhenClosed: Bool) {
        self.descriptor = descriptor
        self.endsWhenClosed = endsWhenClosed
        isTerminal = isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }

    /// The width of the terminal; 80 when it does not say.
    package var columns: Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The operating system's words for the first write that failed.
    package var problem: String? { firstProblem.withLock(\.self) }

    /// Writes all of a text; a failure is kept in ``problem``.
    package func write(_ text: String) {
        var text = text
        let code = text.withUTF8 { bytes in unsafe send(bytes) }
        guard code != 0 else { return }
        if code == EPIPE, endsWhenClosed { endQuietly() }
        firstProblem.withLock { problem in
            if problem == nil { problem = unsafe String(cString: strerror(code)) }
        }
    }

    private func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        var rest = UnsafeRawBufferPointer(bytes)
        while let start = rest.baseAddress, unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(descriptor, start, rest.count)
            if count >= 0 {
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&ready, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Ends the process the way a shell expects of the left side of a closed pipe.
    private func endQuietly() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(1)
    }
}

/// A variable of the environment, nil when it is not set.
func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
}

/// Where text goes: a stream of the process, or a test's transcript.
package protocol TextSink: AnyObject, Sendable {
    /// Whether a person watches, so that colour and redrawing make sense.
    var isTerminal: Bool { get }

    /// The width of the terminal in characters.
    var columns: Int { get }

    /// The operating system's words for the first write that failed; nil when none did.
    var problem: String? { get }

    /// Writes all of a text now.
    func write(_ text: String)
}
