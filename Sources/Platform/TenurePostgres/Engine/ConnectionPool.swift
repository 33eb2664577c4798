import TenureStore
import TenureThreads

/// Threads with one connection each, for slow reads such as listings and handwritten queries.
///
/// Work whose deadline passes in the queue isn't started and fails with `.busy`.
final class ConnectionPool: Sendable {
    private let pool: WorkerPool<Session>

    /// Starts the threads; each connects for its first work.
    /// - Parameter limit: The maximum number of queued reads.
    init(_ database: Database, _ settings: SessionSettings, threads: Int, limit: Int = 512) throws(StoreError) {
        do throws(ThreadError) {
            pool = try WorkerPool(threads: threads, limit: limit) { Session(database, settings) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs the body with a connection on one of the threads; the body may run twice if the connection is lost.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        try await pool.run(
            { session throws(StoreError) in
                do throws(StoreError) { return try session.use(body) } catch { throw error.forCallers }
            }, refused: StoreError.init)
    }

    /// Finishes the queued work, then ends the threads and closes their connections.
    func stop() async { await pool.stop() }
}
