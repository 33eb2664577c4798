import Dispatch
import Glibc
import Synchronization
import TenureCore
import TenureFormats
import TenureThreads

/// Writes the log to standard error, one JSON object per line.
///
/// A separate thread writes the lines in batches, so that requests don't wait for the reader of standard error. While
/// more than a megabyte waits to be written, further lines are dropped. Then a line `log_lines_dropped` reports their
/// number.
package final class StandardErrorLog: Log {
    private struct Pending {
        var bytes: [UInt8] = []
        var dropped = 0
        var isClosed = false
    }

    private let clock: any WallClock
    private let pending = Mutex(Pending())
    private let latest = Mutex((moment: Timestamp(seconds: 0), text: Timestamp(seconds: 0).description))
    private let somethingPending = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    private static let limit = 1 << 20
    private static let keptRoom = 64 << 10
    private static let gatheringTime: useconds_t = 10_000

    /// Starts the thread. Throws `no_threads` if the system refuses to create it.
    package init(clock: any WallClock) throws(ServerError) {
        self.clock = clock
        do throws(ThreadError) {
            try startThread { [self] in writeUntilClosed() }
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
    }

    package func write(_ line: LogLine) {
        write(line.level, line.event) { body in
            for (name, fact) in line.facts { Self.add(name, fact, to: &body) }
        }
    }

    package func write(_ line: RequestLine) {
        write(line.level, line.event) { body in
            line.eachFact { name, fact in Self.add(name, fact, to: &body) }
        }
    }

    private func write(_ level: LogLine.Level, _ event: String, facts: (inout JSONObjectWriter) -> Void) {
        let time = time(of: clock.now())
        let isFirst = pending.withLock { pending in
            let before = pending.bytes.count
            Self.append(level, event, at: time, facts, to: &pending.bytes)
            if pending.bytes.count > Self.limit {
                pending.bytes.removeLast(pending.bytes.count - before)
                pending.dropped += 1
            }
            return before == 0
        }
        if isFirst { somethingPending.signal() }
    }

    /// Writes the remaining lines and waits for the thread to end. Don't log anything afterwards.
    package func close() {
        pending.withLock { $0.isClosed = true }
        somethingPending.signal()
        finished.wait()
    }

    private static func append(
        _ level: LogLine.Level, _ event: String, at time: String, _ facts: (inout JSONObjectWriter) -> Void,
        to bytes: inout [UInt8]
    ) {
        JSONWriter.append(to: &bytes) { body in
            body.member("time", time)
            body.member("level", level.rawValue)
            body.member("event", event)
            facts(&body)
        }
        bytes.append(0x0A)
    }

    private static func add(_ name: StaticString, _ fact: LogLine.Fact, to body: inout JSONObjectWriter) {
        switch fact {
        case .text(let text): body.member(name.description, text)
        case .number(let number): body.member(name.description, number)
        }
    }

    /// Returns the text of a time, and caches the last one, because many lines are written in the same second.
    private func time(of now: Timestamp) -> String {
        latest.withLock { latest in
            if latest.moment != now { latest = (now, now.description) }
            return latest.text
        }
    }

    private func writeUntilClosed() {
        var isOpen = true
        var bytes: [UInt8] = []
        while isOpen {
            somethingPending.wait()
            usleep(Self.gatheringTime)
            let (dropped, isClosed) = pending.withLock { pending in
                // The buffers are swapped, so that no new buffer is allocated.
                swap(&pending.bytes, &bytes)
                defer { pending.dropped = 0 }
                return (pending.dropped, pending.isClosed)
            }
            isOpen = !isClosed
            Self.writeAll(bytes)
            if bytes.capacity > Self.keptRoom { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
            if dropped > 0 {
                var line: [UInt8] = []
                Self.append(
                    .warning, "log_lines_dropped", at: time(of: clock.now()), { $0.member("count", dropped) },
                    to: &line)
                Self.writeAll(line)
            }
        }
        finished.signal()
    }

    /// Writes all bytes. Ignores errors, because the server must keep running even without a log.
    private static func writeAll(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
    }
}
