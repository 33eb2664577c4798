import CPostgres
import TenureStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// One connection to the database, with its prepared statements; always in libpq's pipeline mode.
// No lock: one thread owns it from its making to its end.
@safe final class Connection {
    /// Whether it is of no more use: the caller lets go of it and makes another.
    private(set) var isLost = false
    /// Whether it was lost between the sending of a COMMIT and its answer.
    private(set) var isOutcomeUnknown = false
    /// The session's locks that a service holds through it.
    var heldLocks: Set<Int32> = []
    /// Whether a snapshot's transaction is open on it.
    var holdsSnapshot = false

    /// Whether the database said that it ends the session before it came to the last statement.
    private var isEndedInAdvance = false
    private let handle: OpaquePointer
    private let place: String
    private let patience: Duration
    private var prepared: [ObjectIdentifier: String] = [:]

    /// Connects and sets the session up.
    init(_ address: Address, _ settings: SessionSettings) throws(StoreError) {
        place = address.place
        patience = settings.statementTimeout + .seconds(3)
        guard let handle = unsafe Self.connect(address) else {
            throw StoreError(.failed, "There is no memory for a connection; free some and start again.")
        }
        unsafe self.handle = handle
        unsafe PQsetNoticeProcessor(handle, ignoreNotice, nil)
        if unsafe PQstatus(handle) != CONNECTION_OK {
            throw unsafe PQconnectionNeedsPassword(handle) != 0
                ? StoreError(
                    .permission, "\(place) wants a password; put it in a PGPASSFILE, or the URL in a --store-file.")
                : .unavailable(place, cause: words)
        }
        guard unsafe PQsetnonblocking(handle, 1) == 0, unsafe PQenterPipelineMode(handle) == 1 else {
            throw .unavailable(place, cause: words)
        }
        try run(settings.statement)
        guard unsafe PQparameterStatus(handle, "server_encoding").map({ unsafe String(cString: $0) }) == "UTF8" else {
            throw StoreError(.foreign, "\(place) does not hold UTF-8; make one with `createdb --encoding UTF8`.")
        }
    }

    deinit { unsafe PQfinish(handle) }

    /// Runs one statement in a round trip of its own.
    @discardableResult
    func run(_ sql: SQL, _ values: [Value] = []) throws(StoreError) -> Answer {
        try run(Statement(sql, values))
    }

    /// Runs one statement in a round trip of its own.
    @discardableResult
    func run(_ statement: Statement) throws(StoreError) -> Answer {
        let answers = try roundTrip([statement])
        return answers[0]
    }

    /// Runs statements one after the other in one round trip; after one that fails the others are not run.
    ///
    /// Outside a transaction they are one.
    /// - Parameter committing: The last statement is a COMMIT: when the connection is lost, its outcome is unknown.
    func roundTrip(_ statements: [Statement], committing: Bool = false) throws(StoreError) -> [Answer] {
        var commands: [Command] = []
        var underPreparation: [ObjectIdentifier: String] = [:]
        var isCommitSent = false
        let deadline = ContinuousClock.now + patience
        do {
            for statement in statements {
                let sql = statement.sql
                let key = ObjectIdentifier(sql)
                var name = sql.isKept ? prepared[key] ?? underPreparation[key] : nil
                if name == nil {
                    let fresh = sql.isKept ? "s\(prepared.count + underPreparation.count)" : ""
                    try check(unsafe PQsendPrepare(handle, fresh, sql.text, 0, nil))
                    commands.append(.prepare(sql, name: fresh, meaning: statement.meaning))
                    if sql.isKept { underPreparation[key] = fresh }
                    name = fresh
                }
                isCommitSent = committing && answersExpected(of: commands) == statements.count - 1
                try send(name ?? "", statement.values)
                commands.append(.statement(statement.meaning))
            }
            try check(unsafe PQpipelineSync(handle))
            return try receive(commands, until: deadline)
        } catch {
            if isLost, isCommitSent, !isEndedInAdvance {
                isOutcomeUnknown = true
                throw .outcomeUnknown(place, cause: error.cause ?? "")
            }
            throw error
        }
    }

    /// Runs statements that answer nothing, parted by semicolons.
    func execute(_ sql: SQL) throws(StoreError) {
        guard unsafe PQexitPipelineMode(handle) == 1 else { throw lose() }
        guard let result = unsafe PQexec(handle, sql.text) else { throw lose() }
        let failure = unsafe failure(of: result)
        unsafe PQclear(result)
        if let failure { throw failure }
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw lose() }
    }

    private enum Command {
        case prepare(SQL, name: String, meaning: @Sendable (StoreError) -> StoreError)
        case statement(@Sendable (StoreError) -> StoreError)
    }

    private func answersExpected(of commands: [Command]) -> Int {
        commands.count { command in if case .statement = command { true } else { false } }
    }

    private func send(_ name: String, _ values: [Value]) throws(StoreError) {
        var bytes: [UInt8] = []
        var places: [(offset: Int, length: Int)?] = []
        for value in values {
            let wire = value.wire
            places.append(wire.map { (bytes.count, $0.count) })
            if let wire { bytes += wire }
        }
        bytes.append(0)
        let lengths = places.map { Int32($0?.length ?? 0) }
        let formats = [Int32](repeating: 1, count: places.count)
        let code = unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe places.map { place in
                unsafe place.flatMap { place in unsafe start.map { unsafe $0 + place.offset } }
            }
            return unsafe PQsendQueryPrepared(
                handle, name, Int32(places.count), pointers, lengths, formats, 1)
        }
        try check(code)
    }

    /// Takes in the answers of all commands and the end of the round trip; throws the first failure.
    private func receive(_ commands: [Command], until deadline: ContinuousClock.Instant) throws(StoreError) -> [Answer]
    {
        var answers: [Answer] = []
        var failure: StoreError?
        for (number, command) in commands.enumerated() {
            guard let result = unsafe try next(until: deadline) else { throw lose() }
            let refused = unsafe self.failure(of: result)
            let isPrepared = unsafe PQresultStatus(result) == PGRES_COMMAND_OK
            // From here on the answer owns the result.
            let answer = unsafe Answer(result)
            if let refused, isLost {
                isEndedInAdvance = number < commands.count - 1
                throw refused
            }
            switch command {
            case .prepare(let sql, let name, let meaning):
                if let refused { failure = failure ?? meaning(refused) }
                if sql.isKept, isPrepared {
                    prepared[ObjectIdentifier(sql)] = name
                }
            case .statement(let meaning):
                if let refused { failure = failure ?? meaning(refused) }
                answers.append(answer)
            }
            guard unsafe try next(until: deadline) == nil else { throw lose() }
        }
        guard let sync = unsafe try next(until: deadline) else { throw lose() }
        unsafe PQclear(sync)
        if let failure { throw failure }
        return answers
    }

    /// Waits for the next result; nil at the end of a command's.
    private func next(until deadline: ContinuousClock.Instant) throws(StoreError) -> OpaquePointer? {
        while true {
            let unsent = unsafe PQflush(handle)
            if unsent < 0 { throw lose() }
            if unsafe PQisBusy(handle) == 0 { break }
            let left = deadline - .now
            guard left > .zero else { throw lose("The database did not answer in time.") }
            var socket = unsafe pollfd(
                fd: PQsocket(handle), events: Int16(POLLIN) | (unsent > 0 ? Int16(POLLOUT) : 0), revents: 0)
            let ready = unsafe poll(&socket, 1, Int32(left.components.seconds) * 1_000 + 1_000)
            if ready < 0, errno != EINTR { throw lose() }
            if ready > 0, unsafe PQconsumeInput(handle) == 0 { throw lose() }
        }
        return unsafe PQgetResult(handle)
    }

    /// The one reader of libpq's result codes: what a result says went wrong, if anything.
    private func failure(of result: OpaquePointer) -> StoreError? {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC, PGRES_PIPELINE_ABORTED: return nil
        default:
            let cause = unsafe String(cString: PQresultErrorMessage(result))
            guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return lose(cause) }
            let state = unsafe String(cString: code)
            if ["57P", "08"].contains(where: state.hasPrefix) || state == "25P03" { isLost = true }
            return .from(state: state, words: Self.oneLine(cause), at: place)
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        if code != 1 { throw lose() }
    }

    private func lose(_ cause: String? = nil) -> StoreError {
        isLost = true
        return .unavailable(place, cause: Self.oneLine(cause ?? words))
    }

    private var words: String { unsafe Self.oneLine(String(cString: PQerrorMessage(handle))) }

    private static func oneLine(_ words: String) -> String {
        words.split(whereSeparator: \.isNewline).joined(separator: "; ")
    }
}

private func ignoreNotice(_ context: UnsafeMutableRawPointer?, _ words: UnsafePointer<CChar>?) {}
