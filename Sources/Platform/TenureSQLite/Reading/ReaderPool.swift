import Synchronization
import TenureStore
import TenureThreads

/// Runs short queries by key on the calling thread, as long as the pages that they need are in memory.
///
/// To pass such a query to another thread and back would cost as much as the query. If a query takes over a millisecond
/// and its thread has read from the disk, its pages weren't in memory. For the next second, queries then run on
/// separate threads, so that event threads don't wait for the disk. If the thread hasn't read from the disk, the query
/// waited for the processor, and on another thread it would wait even longer.
final class ReaderPool: Sendable {
    private let readers: Readers
    private let pool: WorkerPool<Void>
    private let longest: Duration
    private let pause: Duration
    private let hasReadDisk: @Sendable () -> Bool
    private let laneUntil = Atomic<UInt64>(0)

    /// Starts the separate threads.
    /// - Parameters:
    ///   - longest: The duration of a query above which the next ones run on separate threads.
    ///   - pause: How long queries then run on separate threads.
    ///   - hasReadDisk: Whether the calling thread has read from the disk since it last called this; only called after
    ///     slow queries.
    init(
        _ readers: Readers, threads: Int, longest: Duration = .milliseconds(1), pause: Duration = .seconds(1),
        hasReadDisk: @escaping @Sendable () -> Bool = DatabaseFile.hasReadDisk
    ) throws(StoreError) {
        self.readers = readers
        self.longest = longest
        self.pause = pause
        self.hasReadDisk = hasReadDisk
        do throws(ThreadError) {
            pool = try WorkerPool(threads: threads, limit: 2_048) {}
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs the body with a connection; all its statements see the same, latest state of the database.
    ///
    /// Use it for a few rows by key or from small sets, and ``Lists`` for everything else.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws(StoreError) -> Result {
        if Deadline.current.hasCome { throw .late }
        if let result = try runInPlace(body) { return result }
        return try await pool.run({ [self] _ throws(StoreError) in try fetch(body) }, refused: StoreError.init)
    }

    /// Runs the body on the calling thread; `nil`, without running it, while queries run on separate threads.
    func runInPlace<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result? {
        let laneUntil = SteadyTime(nanoseconds: laneUntil.load(ordering: .relaxed))
        return laneUntil.hasCome ? try fetch(body) : nil
    }

    /// Finishes the queued work, then ends the separate threads.
    func stop() async { await pool.stop() }

    private func fetch<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        try readers.read { connection in
            let began = SteadyTime.now()
            defer { judge(began, .now()) }
            return try body(connection)
        }
    }

    private func judge(_ began: SteadyTime, _ ended: SteadyTime) {
        guard began.duration(to: ended) > longest else { return }
        if hasReadDisk() { laneUntil.store(ended.advanced(by: pause).nanoseconds, ordering: .relaxed) }
    }
}
