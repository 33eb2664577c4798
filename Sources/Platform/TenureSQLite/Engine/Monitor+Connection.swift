import TenureStore
import TenureThreads

extension Monitor<Connection?> {
    /// Runs the body with the connection while holding its lock; throws `.closed` if the connection was released.
    func lend<Result>(_ body: (Connection) throws -> Result) throws(StoreError) -> Result {
        try withLock { connection throws(StoreError) in
            guard let connection else { throw .closed }
            return try storeErrors { try body(connection) }
        }
    }
}
