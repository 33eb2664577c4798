import TenureStore
import TenureThreads

/// The source of the connections for reads.
enum ReadSource: Sendable {
    /// Separate connections to the file at this path, opened on demand.
    case file(path: String)
    /// The writer's connection, because an in-memory database has only one.
    case shared(Monitor<Connection?>)
}

/// The connections of ``ReaderPool``, which keep their read transactions open between queries.
final class Readers: Sendable {

    private struct Pool {
        var idle: [Reader] = []
        /// Whether a reader has been returned with an open transaction since such transactions were last ended.
        var holdsViews = false
        /// When `endedAtOnce` was last reset; it counts the transactions that ended right after their read.
        var countedFrom = SteadyTime(nanoseconds: 0)
        var endedAtOnce = 0
        /// Whether a checkpoint is running, so that no reader may keep its transaction open.
        var isCopying = false
        var isClosed = false
    }

    private let source: ReadSource
    private let pool = Monitor(Pool())
    private let mostIdle: Int
    /// How many transactions a second end right after their read; further ones are kept open.
    private static let mostEndedAtOnce = 8

    /// Creates the pool and, for a file, starts the thread that ends old read transactions.
    /// - Parameter mostIdle: The number of connections kept for later reads; more may be in use at once.
    init(_ source: ReadSource, mostIdle: Int) throws(StoreError) {
        self.source = source
        self.mostIdle = mostIdle
        guard case .file = source else { return }
        let pool = pool
        do throws(ThreadError) {
            try startThread { Self.letGoOfOldViews(in: pool) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Runs the body with a connection on this thread; all its statements see the same, latest state of the database.
    func read<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        switch source {
        case .shared(let connection):
            return try connection.lend(body)
        case .file(let path):
            let reader = try take(path)
            defer { giveBack(reader) }
            return try reader.read(body)
        }
    }

    /// Ends the transactions of idle readers, so that a checkpoint can copy all commits so far.
    func letGoOfViews() {
        pool.withLock { pool in
            for reader in pool.idle { try? reader.letGo() }
        }
    }

    /// Runs the body while no idle reader has an open transaction, so that the log can start over afterwards.
    func withoutViews(_ body: () -> Void) {
        pool.withLock { pool in
            pool.isCopying = true
            for reader in pool.idle { try? reader.letGo() }
        }
        body()
        pool.withLock { pool in pool.isCopying = false }
    }

    /// Closes the idle connections; those in use are closed when their reads end.
    func close() {
        pool.change { pool in
            pool.isClosed = true
            pool.idle = []
        }
    }

    private func take(_ path: String) throws(StoreError) -> Reader {
        let idle = try pool.withLock { pool throws(StoreError) in
            if pool.isClosed { throw .closed }
            return pool.idle.popLast()
        }
        if let idle { return idle }
        return try Reader(path: path)
    }

    private func giveBack(_ reader: Reader) {
        let isFirst = pool.withLock { pool in
            guard !pool.isClosed, pool.idle.count < mostIdle else { return false }
            pool.idle.append(reader)
            if pool.isCopying { try? reader.letGo() }
            if pool.holdsViews { return false }
            // With a few reads a second, as on an idle server, a transaction that is kept open saves nothing, and its
            // end would wake the thread twice.
            let now = SteadyTime.now()
            if pool.countedFrom.advanced(by: .seconds(1)) < now { (pool.countedFrom, pool.endedAtOnce) = (now, 0) }
            if pool.endedAtOnce < Self.mostEndedAtOnce {
                pool.endedAtOnce += 1
                try? reader.letGo()
                return false
            }
            pool.holdsViews = true
            return true
        }
        if isFirst { pool.change { _ in } }
    }

    /// Ends the transactions of idle readers once a second, because old ones would keep other processes from
    /// checkpointing.
    private static func letGoOfOldViews(in pool: Monitor<Pool>) {
        while pool.wait(for: { pool in pool.isClosed ? false : pool.holdsViews ? true : nil }) {
            if pool.wait(until: .now().advanced(by: .seconds(1)), for: { pool in pool.isClosed ? () : nil }) != nil {
                return
            }
            pool.withLock { pool in
                for reader in pool.idle { try? reader.letGo() }
                pool.holdsViews = false
            }
        }
    }
}
