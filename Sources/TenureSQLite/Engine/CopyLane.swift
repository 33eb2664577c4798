import TenureSQL
import TenureStore
import TenureThreads

/// A thread of its own for one long copy, which would keep a thread of the list lane from everybody else.
final class CopyLane: Sendable {
    private let lane: Lane<Void>

    init() throws(StoreError) {
        do throws(ThreadError) { lane = try Lane(threads: 1, limit: 16) {} } catch { throw StoreError(error) }
    }

    /// Does a piece of the copy on the thread.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await lane.run({ _ throws(StoreError) in try body() }, refused: StoreError.init)
    }

    /// Ends the thread.
    func stop() async { await lane.stop() }
}
