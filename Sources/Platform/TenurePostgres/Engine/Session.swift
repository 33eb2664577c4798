import TenureStore

/// A connection that is opened on demand and replaced when it is lost.
///
/// While the database is unreachable, callers fail at once. The next connection attempt follows after a pause that
/// grows from 50 ms to 1 s.
// No lock: one thread owns it.
final class Session {
    private let address: Address
    private let settings: SessionSettings
    private var connection: Connection?
    private var failure: (error: StoreError, retryAt: ContinuousClock.Instant, pause: Duration)?

    init(_ address: Address, _ settings: SessionSettings) {
        self.address = address
        self.settings = settings
    }

    /// Runs the body with the connection; runs it again on a new one if the connection was lost before anything took
    /// effect.
    func use<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        let isFresh = connection == nil
        let connection = try connected()
        do {
            let result = try storeErrors { try body(connection) }
            if connection.isLost { self.connection = nil }
            return result
        } catch {
            guard connection.isLost else { throw error }
            self.connection = nil
            if isFresh || connection.isOutcomeUnknown || error.code != .unavailable { throw error }
        }
        return try use(body)
    }

    /// Returns the connection, or opens one.
    @discardableResult
    func connected() throws(StoreError) -> Connection {
        if let connection { return connection }
        if let failure, ContinuousClock.now < failure.retryAt { throw failure.error }
        do {
            let fresh = try Connection(address, settings)
            connection = fresh
            failure = nil
            return fresh
        } catch {
            let pause = min((failure?.pause ?? .milliseconds(25)) * 2, .seconds(1))
            failure = (error, .now + pause, pause)
            throw error
        }
    }

    /// Closes the connection.
    func close() { connection = nil }
}
