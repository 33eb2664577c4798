import TenureSQL
import TenureStore
import TenureThreads

/// The list lane: lists, counts, views and checks, which take as long as they take, on threads with connections of their
/// own, so that none of it holds up an event thread.
final class Lists: Sendable {
    private let lane: Lane<ListReader>

    /// Starts the threads; each opens its connection when it first has something to read.
    /// - Parameter limit: How many may wait at once.
    init(_ source: ReadSource, threads: Int, limit: Int = 512) throws(StoreError) {
        do throws(ThreadError) {
            lane = try Lane(threads: threads, limit: limit) { ListReader(source) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Lends a connection to the body, on one of the lane's threads. All its statements see one state of the database,
    /// the latest. A request's work that waits past its deadline is not begun; then the store is busy.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await lane.run({ reader throws(StoreError) in try reader.read(body) }, refused: StoreError.init)
    }

    /// Does what is queued, then ends the threads and lets go of their connections.
    func stop() async { await lane.stop() }
}

/// The connection of one thread of the list lane.
// No lock: the thread that made it owns it.
private final class ListReader {
    private let source: ReadSource
    private var reader: Reader?

    init(_ source: ReadSource) { self.source = source }

    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        switch source {
        case .shared(let connection):
            return try connection.lend(body)
        case .file(let path):
            let reader = try reader(of: path)
            // Lists are rare: a view that is kept for the next one would only keep the log from being copied back.
            defer { try? reader.letGo() }
            return try reader.read(body)
        }
    }

    private func reader(of path: String) throws(StoreError) -> Reader {
        if let reader { return reader }
        let fresh = try Reader(path: path)
        reader = fresh
        return fresh
    }
}
