import Synchronization
public import TenureServerKit

/// A log that stores its lines, so that a test can read them.
public final class RecordedLog: Log {
    private let stored = Mutex<[LogLine]>([])

    /// Creates an empty log.
    public init() {}

    /// Appends a line to ``lines``.
    public func write(_ line: LogLine) {
        stored.withLock { $0.append(line) }
    }

    /// The lines written so far.
    public var lines: [LogLine] { stored.withLock { $0 } }
}
