import Synchronization
import TenureSQL
import TenureStore
import TenureThreads

/// Looks: few rows by their keys, on the thread that asks, as long as the pages that they need are in memory.
///
/// To hand a warm look to another thread and back would cost as much as the look. When one takes over a millisecond while
/// the process read from the disk, pages are cold; for a second from then on looks go through a lane of their own, so that
/// event threads, which carry many requests each, do not wait for the disk one look after the other. Without a read from
/// the disk it was the processor that a slow look waited for, and a lane would have it wait the longer.
final class Looks: Sendable {
    private let readers: Readers
    private let lane: Lane<Void>
    private let longest: Duration
    private let pause: Duration
    private let diskReads: @Sendable () -> Int
    private let diskReadsSeen: Atomic<Int>
    private let laneUntil = Atomic<UInt64>(0)

    /// Starts the lane's threads.
    /// - Parameters:
    ///   - longest: How long a look may take before the next ones go through the lane.
    ///   - pause: For how long they do.
    ///   - diskReads: How often the process has read from the disk so far; asked after slow looks alone.
    init(
        _ readers: Readers, threads: Int, longest: Duration = .milliseconds(1), pause: Duration = .seconds(1),
        diskReads: @escaping @Sendable () -> Int = DatabaseFile.diskReads
    ) throws(StoreError) {
        self.readers = readers
        self.longest = longest
        self.pause = pause
        self.diskReads = diskReads
        diskReadsSeen = Atomic(diskReads())
        do throws(ThreadError) {
            lane = try Lane(threads: threads, limit: 2_048) {}
        } catch {
            throw StoreError(error)
        }
    }

    /// Lends a connection to the body. All its statements see one state of the database, the latest.
    ///
    /// For a few rows by keys or by small sets; whatever else there is to read goes through ``Lists``.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        if Deadline.current.hasCome { throw .late }
        let laneUntil = SteadyTime(nanoseconds: laneUntil.load(ordering: .relaxed))
        if laneUntil.hasCome { return try look(body) }
        return try await lane.run({ [self] _ throws(StoreError) in try look(body) }, refused: StoreError.init)
    }

    /// Does what is queued, then ends the lane's threads.
    func stop() async { await lane.stop() }

    private func look<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try readers.read { connection throws(StoreError) in
            let began = SteadyTime.now()
            defer { judge(began, .now()) }
            return try body(connection)
        }
    }

    private func judge(_ began: SteadyTime, _ ended: SteadyTime) {
        guard began.duration(to: ended) > longest else { return }
        let reads = diskReads()
        if diskReadsSeen.exchange(reads, ordering: .relaxed) != reads {
            laneUntil.store(ended.advanced(by: pause).nanoseconds, ordering: .relaxed)
        }
    }
}
