import TenureCore
public import TenureStore

extension SQLiteStore {
    /// Counts what is stored; reads every license, so it is nothing for each request.
    public func census() async throws(StoreError) -> Census {
        try readers.read { connection throws(StoreError) in
            var licenses: [License.State: Int] = [:]
            for (state, count) in try connection.all(.licensesPerState, [], License.State.readCount) {
                licenses[state] = count
            }
            return Census(
                licenses: licenses,
                liveActivations: try connection.first(.liveActivations, [], { row in Int(row.integer(0)) }) ?? 0,
                latestEvent: try connection.first(.latestEvent, [], { row in row.integer(0) }) ?? 0)
        }
    }
}

extension License.State {
    fileprivate static func readCount(_ row: Row) throws(StoreError) -> (License.State, Int) {
        guard let state = License.State(rawValue: row.text(0)) else { throw .unreadable("a license's state") }
        return (state, Int(row.integer(1)))
    }
}

extension SQL {
    fileprivate static let licensesPerState = SQL("SELECT state, count(*) FROM licenses GROUP BY state")
    fileprivate static let liveActivations = SQL("SELECT count(*) FROM activations WHERE released_at IS NULL")
    fileprivate static let latestEvent = SQL("SELECT ifnull(max(sequence), 0) FROM events")
}
