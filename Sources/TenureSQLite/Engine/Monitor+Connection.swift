import TenureStore
import TenureThreads

extension Monitor<Connection?> {
    /// Lends the connection to the body, as long as there is one.
    func lend<Result>(_ body: (Connection) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try withLock { connection throws(StoreError) in
            guard let connection else { throw .closed }
            return try body(connection)
        }
    }
}
