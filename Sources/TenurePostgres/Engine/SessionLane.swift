import TenureSQL
import TenureStore
import TenureThreads

/// A lane whose threads have a connection each: for lists and views, which take as long as they take.
///
/// A request's work that waits past its deadline is not begun; the caller is told that the store is busy.
final class SessionLane: Sendable {
    private let lane: Lane<Session>

    /// Starts the threads; each connects when it first has something to do.
    /// - Parameter limit: How many may wait at once.
    init(_ address: Address, _ settings: SessionSettings, threads: Int, limit: Int = 512) throws(StoreError) {
        do throws(ThreadError) {
            lane = try Lane(threads: threads, limit: limit) { Session(address, settings) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Lends a connection to the body, on one of the lane's threads; the body may be called twice.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await lane.run(
            { session throws(StoreError) in
                do throws(StoreError) { return try session.use(body) } catch { throw error.forCallers }
            }, refused: StoreError.init)
    }

    /// Does what is queued, then ends the threads and lets go of the connections.
    func stop() async { await lane.stop() }
}
