import TenureThreads

/// Does what takes milliseconds of computing, RSA and password hashing, on a few threads of its own, so that nobody else
/// waits for it (design §8).
public final class ComputeLane: Sendable {
    private let lane: Lane<Void>

    /// Starts the lane's threads. Throws ``ServerError`` when the system has none for it.
    /// - Parameters:
    ///   - threads: How many works are done at once; as many as the machine has processors serve best.
    ///   - limit: How many more may wait.
    public init(threads: Int, limit: Int) throws(ServerError) {
        do throws(ThreadError) {
            lane = try Lane(threads: max(1, threads), limit: limit) {}
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
    }

    /// Does the work and answers what it came to.
    ///
    /// Throws `crypto_busy`, which is transient, when too much waits already, or when the request's deadline came before
    /// its turn; then the work was not begun.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ServerError) -> Value {
        try await lane.run(
            { _ throws(ServerError) in work() },
            refused: { _ in
                ServerError(
                    .init("crypto_busy"), "Too many requests wait for cryptography. Try again in a moment.",
                    isTransient: true)
            })
    }
}
