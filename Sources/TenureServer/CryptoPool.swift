import Dispatch
import Synchronization

/// Does what takes milliseconds of computing, RSA and password hashing, on a few threads of its own, so that nobody else
/// waits for it (design §8).
///
/// Work waits in a queue of limited length; beyond it the answer is a transient error at once, so that a flood of
/// costly requests is refused cheaply.
public final class CryptoPool: Sendable {
    private let lanes: [DispatchQueue]
    private let limit: Int
    private let waiting: Mutex<[Int]>

    /// Makes a pool.
    /// - Parameters:
    ///   - threads: How many works are done at once; as many as the machine has processors serve best.
    ///   - limit: How many may wait or be under way at once.
    public init(threads: Int, limit: Int) {
        let count = max(1, threads)
        lanes = (0..<count).map { DispatchQueue(label: "tenure.crypto.\($0)") }
        self.limit = limit
        waiting = Mutex([Int](repeating: 0, count: count))
    }

    /// How many works wait or are under way.
    var load: Int { waiting.withLock { $0.reduce(0, +) } }

    /// Does the work and answers what it came to. Throws `crypto_busy`, which is transient, when too much waits already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ServerError) -> Value {
        guard let lane = enter() else {
            throw ServerError(
                .init("crypto_busy"), "Too many requests wait for cryptography. Try again in a moment.",
                isTransient: true)
        }
        return await withCheckedContinuation { caller in
            lanes[lane].async { [self] in
                let value = work()
                waiting.withLock { $0[lane] -= 1 }
                caller.resume(returning: value)
            }
        }
    }

    /// Takes a place in the shortest queue; nil when all is full.
    private func enter() -> Int? {
        waiting.withLock { waiting in
            guard waiting.reduce(0, +) < limit, let lane = waiting.indices.min(by: { waiting[$0] < waiting[$1] }) else {
                return nil
            }
            waiting[lane] += 1
            return lane
        }
    }
}
