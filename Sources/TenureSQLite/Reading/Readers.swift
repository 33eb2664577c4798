import CSQLite
import TenureStore

/// Connections that only read; a read runs in place, on the thread that asks.
final class Readers: Sendable {
    /// Where reads go.
    private enum Source: Sendable {
        /// To connections of their own, opened when they are needed.
        case file(path: String)
        /// To the writer's connection, for a database in memory has only that one.
        case shared(Monitor<Connection?>)
    }

    private struct Pool {
        var idle: [Connection] = []
        var isClosed = false
    }

    private let source: Source
    private let pool = Monitor(Pool())
    private let mostIdle: Int

    /// Reads a file.
    /// - Parameter mostIdle: How many connections are kept for the next read; more may be in use at once.
    init(path: String, mostIdle: Int) {
        source = .file(path: path)
        self.mostIdle = mostIdle
    }

    /// Reads on the writer's connection.
    init(sharing connection: Monitor<Connection?>) {
        source = .shared(connection)
        mostIdle = 0
    }

    /// Lends a connection to the body, on this thread.
    func read<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        switch source {
        case .shared(let connection):
            return try connection.lend(body)
        case .file(let path):
            let connection = try take(path)
            defer { giveBack(connection) }
            return try body(connection)
        }
    }

    /// Lends a connection for several statements that see one state of the database.
    func readConsistently<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try read { connection throws(StoreError) in
            try connection.run(.begin)
            defer { try? connection.run(.commit) }
            return try body(connection)
        }
    }

    /// Lets go of the idle connections; those in use follow when their reads end.
    func close() {
        pool.withLock { pool in
            pool.isClosed = true
            pool.idle = []
        }
    }

    private func take(_ path: String) throws(StoreError) -> Connection {
        let idle = try pool.withLock { pool throws(StoreError) in
            if pool.isClosed { throw .closed }
            return pool.idle.popLast()
        }
        if let idle { return idle }
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute(.setUpReader)
        return connection
    }

    private func giveBack(_ connection: Connection) {
        pool.withLock { pool in
            if !pool.isClosed, pool.idle.count < mostIdle { pool.idle.append(connection) }
        }
    }
}

extension SQL {
    /// Opened for writing, because the last connection to close tidies up the log, and forbidden to write.
    static let setUpReader = SQL("PRAGMA query_only = 1; PRAGMA mmap_size = 68719476736; PRAGMA cache_size = -1024")
}
