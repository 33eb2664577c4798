import TenureStore
import TenureThreads

/// Threads for slow reads such as listings, counts, handwritten queries and checks.
///
/// Each thread has its own connection, so that none of this work blocks an event thread.
final class Lists: Sendable {
    private let pool: WorkerPool<ListReader>

    /// Starts the threads; each opens its connection for its first read.
    /// - Parameter limit: The maximum number of queued reads.
    init(_ source: ReadSource, threads: Int, limit: Int = 512) throws(StoreError) {
        do throws(ThreadError) {
            pool = try WorkerPool(threads: threads, limit: limit) { ListReader(source) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs the body with a connection on one of the threads.
    ///
    /// All its statements see the same, latest state of the database. Work whose deadline passes in the queue isn't
    /// started and fails with `.busy`.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        try await pool.run({ reader throws(StoreError) in try reader.read(body) }, refused: StoreError.init)
    }

    /// Finishes the queued work, then ends the threads and releases their connections.
    func stop() async { await pool.stop() }
}

/// The connection of one thread that runs slow reads.
// No lock: the thread that created it owns it.
private final class ListReader {
    private let source: ReadSource
    private var reader: Reader?

    init(_ source: ReadSource) { self.source = source }

    func read<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        switch source {
        case .shared(let connection):
            return try connection.lend(body)
        case .file(let path):
            let reader = try reader(of: path)
            // Listings are rare: keeping the read transaction open for the next one would only block checkpoints.
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
