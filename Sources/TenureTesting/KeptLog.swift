import Synchronization
public import TenureServerKit

/// A log that keeps its lines for a test to look at.
public final class KeptLog: Log {
    private let kept = Mutex<[LogLine]>([])

    /// Starts empty.
    public init() {}

    /// Keeps a line.
    public func write(_ line: LogLine) {
        kept.withLock { $0.append(line) }
    }

    /// The lines so far.
    public var lines: [LogLine] { kept.withLock { $0 } }
}
