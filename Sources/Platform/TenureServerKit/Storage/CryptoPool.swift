import TenureThreads

/// Runs computations that take milliseconds, such as RSA and password hashing.
///
/// The computations run on separate threads, so they don't delay other requests.
public final class CryptoPool: Sendable {
    private let pool: WorkerPool<Void>

    /// Starts the threads.
    ///
    /// - Throws: ``ServerError`` if the system can't create the threads.
    ///
    /// - Parameters:
    ///   - threads: The number of computations that run at once, ideally one per processor core.
    ///   - limit: The number of further computations that may wait.
    public init(threads: Int, limit: Int) throws(ServerError) {
        do throws(ThreadError) {
            pool = try WorkerPool(threads: max(1, threads), limit: limit) {}
        } catch {
            throw ServerError(.init("no_threads"), error.description, cause: error.cause)
        }
    }

    /// Runs a computation and returns its result.
    ///
    /// Throws the transient error `crypto_busy` without starting the computation if too many computations are waiting,
    /// or if the request's deadline passes while the computation waits.
    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(ServerError) -> Value {
        try await pool.run(
            { _ throws(ServerError) in work() },
            refused: { _ in
                ServerError(
                    .init("crypto_busy"),
                    "Too many requests are waiting for cryptographic work. Try again in a moment.",
                    isTransient: true)
            })
    }
}
