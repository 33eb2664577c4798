import Synchronization
import TenureServerKit

/// Caches values that are computed from files' bytes, by file identity.
///
/// If the cache is full, all its values are dropped.
final class FileValueCache<Value: Sendable>: Sendable {
    private struct Kept {
        var weight = 0
        var values: [OpenFile.Identity: Value] = [:]
    }

    private let cached = Mutex(Kept())
    private let limit: Int

    /// Creates an empty cache.
    ///
    /// - Parameter limit: The largest total weight of all values.
    init(limit: Int) { self.limit = limit }

    func value(of file: OpenFile) -> Value? { cached.withLock { $0.values[file.identity] } }

    func keep(_ value: Value, of file: OpenFile, weight: Int = 1) {
        cached.withLock { cached in
            if cached.weight + weight > limit { cached = Kept() }
            // Two threads may have computed the same value.
            if cached.values.updateValue(value, forKey: file.identity) == nil { cached.weight += weight }
        }
    }
}
