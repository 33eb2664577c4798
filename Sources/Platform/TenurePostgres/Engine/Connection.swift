import CPostgres
import TenureCore
import TenureStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A connection to the database, with its prepared statements; always in libpq's pipeline mode.
// No lock: one thread owns it for its whole life.
@safe final class Connection {
    /// Whether the connection is unusable, so that its owner must replace it.
    private(set) var isLost = false
    /// Whether the connection was lost after a COMMIT was sent and before the response.
    private(set) var isOutcomeUnknown = false
    /// The session-level advisory locks that the session holds, by role number.
    var heldLocks: Set<Int32> = []
    /// Whether the connection leads through a connection pooler.
    private(set) var isPooled = false
    /// Whether a snapshot's transaction is open on the connection.
    var holdsSnapshot = false

    /// Whether the database ended the session before it ran the last statement, so that a COMMIT had no effect.
    private var isEndedInAdvance = false
    private let handle: OpaquePointer
    private let position: String
    private let patience: Duration
    private let notices = Notices()
    /// Whether the connection was lost because the database didn't respond in time.
    private(set) var isUnresponsive = false
    /// Whether the database refused a change as read-only; the connection's owner sets it back.
    var isReadOnly = false
    private let database: Database
    private let settings: SessionSettings
    /// The process identifier of the session.
    private var backend: Int64?
    /// When the database server started, in microseconds, which tells servers apart even behind a proxy.
    private(set) var server: Int64 = 0
    /// The host that was passed to libpq; `nil` for libpq's choice.
    let chosenHost: Address.Host?
    /// The statements that the next round trip sends.
    var outgoing = Outgoing()
    /// The statements that this connection has generated from declarations.
    let texts = Texts()
    /// The state that the current group of changes sees.
    let batch = BatchState()
    /// The rows that the current group of changes adds to append-only tables.
    var appended: [AppendedRows] = []

    /// The prepared statements, retained so that their object identifiers aren't reused for other statements.
    private var prepared: [ObjectIdentifier: SQL] = [:]
    private var commands: [Command] = []
    private var pointers: [UnsafePointer<CChar>?] = unsafe []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Connects and configures the session.
    ///
    /// - Parameters:
    ///   - host: The only host to connect to; `nil` for libpq's choice among those of the URL.
    ///   - acceptingReadOnly: Whether a host that accepts no changes may be used.
    init(
        _ database: Database, _ settings: SessionSettings, host: Address.Host? = nil, acceptingReadOnly: Bool = false
    ) throws(StoreError) {
        let address = database.address
        self.database = database
        self.settings = settings
        chosenHost = host
        position = address.position
        patience = settings.statementTimeout + .seconds(3)
        guard let handle = unsafe Self.connect(address, to: host) else {
            throw StoreError(.failed, "There is not enough memory for a connection. Free some and start again.")
        }
        unsafe self.handle = handle
        unsafe notices.receive(from: handle)
        if unsafe PQstatus(handle) != CONNECTION_OK {
            throw .unconnected(address, cause: words)
        }
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
            throw .unavailable(position, cause: words)
        }
        let facts = try run(.setUp, settings.values, within: .seconds(5)).first { row in
            (
                backend: try row.next(Int64.self), server: try row.next(Int64.self), isStandby: try row.next(Bool.self),
                isReadOnly: try row.next(Bool.self)
            )
        }
        guard let facts else { throw .malformedResponse(position) }
        (backend, server) = (facts.backend, facts.server)
        if host != nil, !acceptingReadOnly, address.needsWritableHost, facts.isReadOnly {
            throw .unconnected(
                address, cause: facts.isStandby ? ConnectionFault.isStandby : ConnectionFault.isReadOnlyPrimary)
        }
        if address.isOnlyReading { try run(.onlyReading) }
        // A pooler reports a process identifier of its own instead of the session's.
        isPooled = backend != Int64(unsafe PQbackendPID(handle))
        guard unsafe PQparameterStatus(handle, "server_encoding").map({ unsafe String(cString: $0) }) == "UTF8" else {
            throw StoreError(
                .foreign, "\(position) is not encoded in UTF-8. Create one with `createdb --encoding UTF8`.")
        }
    }

    deinit { unsafe PQfinish(handle) }

    /// The name of the database that the connection was opened to.
    var databaseName: String { unsafe Self.text(PQdb(handle)) }

    /// The host and port in use; for a Unix socket, its folder and port.
    var host: String { unsafe "\(Self.text(PQhost(handle))):\(Self.text(PQport(handle)))" }

    private static func text(_ chars: UnsafePointer<CChar>?) -> String {
        unsafe chars.map { chars in unsafe String(cString: chars) } ?? ""
    }

    /// Runs one statement in its own round trip.
    @discardableResult
    func run(
        _ sql: SQL, _ values: [StoredValue] = [], within limit: Duration? = nil
    ) throws(StoreError) -> Answer {
        outgoing.clear()
        outgoing.add(sql, values)
        guard let answer = try roundTrip(within: limit).first else { throw .malformedResponse(position) }
        return answer
    }

    /// Runs the ``outgoing`` statements in order and in one round trip.
    ///
    /// After a failure, the remaining statements aren't run. Without an explicit transaction, they form one.
    /// - Parameters:
    ///   - committing: Whether the last statement is a COMMIT. Its outcome is unknown if the connection is lost, or if
    ///     it returns a warning, which means that the wait for a synchronous standby was given up.
    ///   - limit: How long to wait for the response; `nil` for the session's limit.
    func roundTrip(committing: Bool = false, within limit: Duration? = nil) throws(StoreError) -> [Answer] {
        defer { outgoing.clear() }
        commands.removeAll(keepingCapacity: true)
        var underPreparation: Set<ObjectIdentifier> = []
        var isCommitSent = false
        var wait = Wait(upTo: limit ?? patience, on: database, isCommit: committing)
        do {
            for number in outgoing.statements.indices {
                let sql = outgoing.statements[number].sql
                if !sql.isKept || prepared[ObjectIdentifier(sql)] == nil {
                    if !sql.isKept || underPreparation.insert(ObjectIdentifier(sql)).inserted {
                        try check(unsafe PQsendPrepare(handle, sql.name, sql.text, 0, nil))
                        commands.append(Command(number: number, isPreparation: true))
                    }
                }
                if committing, number == outgoing.statements.count - 1 { isCommitSent = true }
                try check(send(number))
                commands.append(Command(number: number, isPreparation: false))
            }
            try check(unsafe PQpipelineSync(handle))
            return try receive(within: &wait, committing: committing)
        } catch {
            if isLost, isCommitSent, !isEndedInAdvance {
                isOutcomeUnknown = true
                throw .outcomeUnknown(position, cause: error.cause ?? "")
            }
            throw error
        }
    }

    /// Runs statements that return no rows, separated by semicolons.
    func execute(_ sql: SQL) throws(StoreError) {
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw lose() }
        guard let result = unsafe PQexec(handle, sql.text) else { throw lose() }
        let failure = unsafe failure(of: result)
        unsafe PQclear(result)
        if let failure { throw failure }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lose() }
    }

    private struct Command {
        let number: Int
        let isPreparation: Bool
    }

    private func send(_ number: Int) -> Int32 {
        let statement = outgoing.statements[number]
        return unsafe outgoing.bytes.withUnsafeBufferPointer { bytes in
            unsafe pointers.removeAll(keepingCapacity: true)
            lengths.removeAll(keepingCapacity: true)
            for position in outgoing.positions[statement.first..<statement.first + statement.count] {
                let start = unsafe position.length < 0 ? nil : bytes.baseAddress.map { unsafe $0 + position.offset }
                unsafe pointers.append(start.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) })
                lengths.append(Int32(max(position.length, 0)))
            }
            while formats.count < lengths.count { formats.append(1) }
            return unsafe PQsendQueryPrepared(
                handle, statement.sql.name, Int32(statement.count), pointers, lengths, formats, 1)
        }
    }

    /// Receives the results of all commands and the end of the round trip; throws the first failure.
    private func receive(
        within wait: inout Wait, committing: Bool
    ) throws(StoreError) -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(outgoing.statements.count)
        var failure: StoreError?
        for (index, command) in commands.enumerated() {
            let statement = outgoing.statements[command.number]
            notices.warning = nil
            guard let result = unsafe try next(within: &wait) else { throw lose() }
            wait.receivedResult()
            let refused = unsafe self.failure(of: result)
            let isFromSession = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "R"))) != nil
            let status = unsafe PQresultStatus(result)
            if status == PGRES_PIPELINE_ABORTED, failure == nil { failure = .malformedResponse(position) }
            let isDone = status == PGRES_COMMAND_OK
            let constraint = unsafe refused == nil ? nil : PQresultErrorField(result, Int32(UInt8(ascii: "n")))
            if let refused, failure == nil {
                failure = refused.meaning(
                    for: statement.purpose, constraint: unsafe constraint.map { unsafe String(cString: $0) })
            }
            // From here on, `answer` owns the result.
            let answer = unsafe Answer(result)
            if let refused, isLost {
                // A pooler reports a lost database before the first result, although the COMMIT may have run.
                isEndedInAdvance = isFromSession && index < commands.count - 1
                throw refused
            }
            if !command.isPreparation {
                answers.append(answer)
            } else if statement.sql.isKept, isDone {
                prepared[ObjectIdentifier(statement.sql)] = statement.sql
            }
            guard unsafe try next(within: &wait) == nil else { throw lose() }
        }
        guard let sync = unsafe try next(within: &wait) else { throw lose() }
        unsafe PQclear(sync)
        if let failure { throw failure }
        // The warning belongs to the last statement, the COMMIT.
        if committing, let warning = notices.warning { throw .unconfirmed(position, cause: warning) }
        guard answers.count == outgoing.statements.count else { throw .malformedResponse(position) }
        return answers
    }

    /// Waits for the next result; `nil` at the end of a command's results.
    private func next(within wait: inout Wait) throws(StoreError) -> OpaquePointer? {
        while true {
            let unsent = unsafe PQflush(handle)
            if unsent < 0 { throw lose() }
            if unsafe PQisBusy(handle) == 0 { break }
            if wait.isOver, wait.mayCancel() {
                cancelCommit()
            } else if wait.isOver {
                isUnresponsive = true
                throw lose("The database did not respond in time.")
            }
            var socket = unsafe pollfd(
                fd: PQsocket(handle), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
            let ready = unsafe poll(&socket, 1, 1_000)
            if ready < 0, errno != EINTR { throw lose() }
            if ready > 0, unsafe PQconsumeInput(handle) == 0 { throw lose() }
        }
        return unsafe PQgetResult(handle)
    }

    /// From another session, ends a COMMIT's wait for a synchronous standby, so that the COMMIT ends with a warning.
    ///
    /// Otherwise this session would keep its locks, and occupy one of the database's connections, until the standby is
    /// back, although this connection is given up.
    private func cancelCommit() {
        guard let backend, let other = try? Connection(database, settings, host: ownHost, acceptingReadOnly: true)
        else { return }
        _ = try? other.run(.cancelWait, [.integer(backend)], within: .seconds(3))
    }

    /// The host and address of this session's server; a cancellation must reach it, because no other host has the
    /// session.
    private var ownHost: Address.Host {
        let options = unsafe [
            "host": Self.text(PQhost(handle)), "hostaddr": Self.text(PQhostaddr(handle)),
            "port": Self.text(PQport(handle)),
        ]
        return Address.Host(options: options.filter { !$0.value.isEmpty })
    }

    /// The error that a result reports; `nil` if it reports success. Every libpq result status is checked here.
    private func failure(of result: OpaquePointer) -> StoreError? {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_PIPELINE_ABORTED: return nil
        default:
            let cause = unsafe String(cString: PQresultErrorMessage(result))
            guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return lose(cause) }
            let state = unsafe String(cString: code)
            if ["57P", "08"].contains(where: state.hasPrefix) || state == "25P03" { isLost = true }
            if state == "25006" { isReadOnly = true }
            return .from(state: state, words: Self.oneLine(cause), at: position)
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != 1 { throw lose() }
    }

    private func lose(_ cause: String? = nil) -> StoreError {
        isLost = true
        return .unavailable(position, cause: Self.oneLine(cause ?? words))
    }

    /// The error for a response whose results don't match the statements.
    var malformedResponse: StoreError { .malformedResponse(position) }

    /// Reads the number of a request, counted from 1, as an index; throws if there is no such request.
    func position(from cursor: inout RowCursor, below count: Int) throws(StoreError) -> Int {
        let number = try cursor.next(Int.self)
        guard (1...max(count, 1)).contains(number), count > 0 else { throw malformedResponse }
        return number - 1
    }

    private var words: String { unsafe Self.oneLine(String(cString: PQerrorMessage(handle))) }

    private static func oneLine(_ words: String) -> String {
        words.printable.lines.map { line in Substring(line.utf8.drop { $0 == 9 || $0 == 32 }) }.filter { !$0.isEmpty }
            .joined(
                separator: "; ")
    }
}

extension SQL {
    fileprivate static let cancelWait = SQL(
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE pid = $1::bigint AND wait_event = 'SyncRep'")
}
