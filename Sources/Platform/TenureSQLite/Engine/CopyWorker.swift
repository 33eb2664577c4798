import TenureStore
import TenureThreads

/// A separate thread for one long copy, so that it doesn't occupy a thread that runs listings.
final class CopyWorker: Sendable {
    private let pool: WorkerPool<Void>

    init() throws(StoreError) {
        do throws(ThreadError) { pool = try WorkerPool(threads: 1, limit: 16) {} } catch { throw StoreError(error) }
    }

    /// Runs a step of the copy on the thread.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(StoreError) -> Result {
        try await pool.run({ _ throws(StoreError) in try storeErrors(body) }, refused: StoreError.init)
    }

    func stop() async { await pool.stop() }
}
