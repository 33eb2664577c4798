import Synchronization
import TenureHTTP

/// Keeps what was computed from the bytes of files, by the files' identities; it begins anew when it is full.
final class FileValueCache<Value: Sendable>: Sendable {
    private struct Kept {
        var weight = 0
        var values: [FileIdentity: Value] = [:]
    }

    private let kept = Mutex(Kept())
    private let limit: Int

    /// - Parameter limit: The most that all values together may weigh.
    init(limit: Int) { self.limit = limit }

    func value(of file: OpenFile) -> Value? { kept.withLock { $0.values[file.identity] } }

    func keep(_ value: Value, of file: OpenFile, weight: Int = 1) {
        kept.withLock { kept in
            if kept.weight + weight > limit { kept = Kept() }
            // Two threads may have computed the same value.
            if kept.values.updateValue(value, forKey: file.identity) == nil { kept.weight += weight }
        }
    }
}
