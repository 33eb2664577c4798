import Glibc
import Synchronization

/// A standard stream of the process, written without a buffer.
package final class StreamSink: TextSink {
    private let descriptor: Int32
    private let endsWhenClosed: Bool
    private let firstProblem = Mutex<String?>(nil)

    /// Whether the stream is a terminal that supports control sequences.
    package let isTerminal: Bool

    /// Creates a sink for a descriptor, which stays open.
    ///
    /// - Parameter endsWhenClosed: Whether the process ends, as by SIGPIPE, once the reader has closed the stream. True
    ///   for answers (`tenure license list | head`); false for notes, so that a server keeps running without their
    ///   reader.
    package init(_ descriptor: Int32, endsWhenClosed: Bool) {
        self.descriptor = descriptor
        self.endsWhenClosed = endsWhenClosed
        isTerminal = isatty(descriptor) == 1 && variable("TERM") != "dumb"
    }

    /// The width of the terminal in characters; 80 if it's unknown.
    package var columns: Int {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The system's error message for the first write that failed; `nil` if no write has failed.
    package var problem: String? { firstProblem.withLock(\.self) }

    /// Writes the whole text; ``problem`` keeps the first failure.
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

    /// Ends the process by SIGPIPE, as a shell expects of the left side of a closed pipe.
    private func endQuietly() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        _exit(1)
    }
}

/// Returns an environment variable, or `nil` if it's unset.
func variable(_ name: String) -> String? {
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(cString: text)
}

/// A destination for text: a stream of the process, or a test's transcript.
package protocol TextSink: AnyObject, Sendable {
    /// Whether it's a terminal, where colour and redrawing make sense.
    var isTerminal: Bool { get }

    /// The width of the terminal in characters.
    var columns: Int { get }

    /// The system's error message for the first write that failed; `nil` if no write has failed.
    var problem: String? { get }

    /// Writes the whole text immediately.
    func write(_ text: String)
}
