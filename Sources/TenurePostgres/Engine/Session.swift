import TenureStore

/// A connection that is made when it is needed, and made again when it was lost.
///
/// While the database is away, callers are told so at once; the next attempt to connect follows after a pause that grows
/// from 50 ms to 1 s.
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

    /// Lends the connection to the body; once more, a fresh one, if it was lost and nothing can have come of it.
    func use<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        let isFresh = connection == nil
        let connection = try connected()
        do {
            let result = try body(connection)
            if connection.isLost { self.connection = nil }
            return result
        } catch {
            guard connection.isLost else { throw error }
            self.connection = nil
            if isFresh || connection.isOutcomeUnknown || error.code != .unavailable { throw error }
        }
        return try use(body)
    }

    /// Connects, if it is not connected.
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

    /// Lets go of the connection.
    func close() { connection = nil }
}
