import TenureSQL
import TenureStore
import TenureThreads

/// Where reads go.
enum ReadSource: Sendable {
    /// To connections of their own, opened when they are needed.
    case file(path: String)
    /// To the writer's connection, for a database in memory has only that one.
    case shared(Monitor<Connection?>)
}

/// The connections of ``Looks``, which keep their views of the database between looks.
final class Readers: Sendable {

    private struct Pool {
        var idle: [Reader] = []
        /// Whether a reader has come back with its view since views were last let go.
        var holdsViews = false
        /// Whether the log is being copied back, so that nobody may keep a view.
        var isCopying = false
        var isClosed = false
    }

    private let source: ReadSource
    private let pool = Monitor(Pool())
    private let mostIdle: Int

    /// Reads a database.
    /// - Parameter mostIdle: How many connections are kept for the next read; more may be in use at once.
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

    /// Lends a connection to the body, on this thread. All its statements see one state of the database: the latest.
    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        switch source {
        case .shared(let connection):
            return try connection.lend(body)
        case .file(let path):
            let reader = try take(path)
            defer { giveBack(reader) }
            return try reader.read(body)
        }
    }

    /// Runs the body while no idle reader holds a view.
    func withoutViews(_ body: () -> Void) {
        pool.withLock { pool in
            pool.isCopying = true
            for reader in pool.idle { try? reader.letGo() }
        }
        body()
        pool.withLock { pool in pool.isCopying = false }
    }

    /// Lets go of the idle connections; those in use follow when their reads end.
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
            defer { pool.holdsViews = true }
            return !pool.holdsViews
        }
        if isFirst { pool.change { _ in } }
    }

    /// Ends the views of idle readers once a second: an old one would keep other processes from copying the log back.
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
