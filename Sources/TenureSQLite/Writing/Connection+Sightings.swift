import TenureCore
import TenureStore

extension Connection {
    /// Writes sightings down in a transaction of their own; one that is older than what is stored changes nothing.
    func record(_ sightings: ArraySlice<(key: ActivationID, value: Timestamp)>) throws(StoreError) {
        try transaction { () throws(StoreError) in
            for (id, moment) in sightings { try run(.recordSighting, [.id(id), .moment(moment)]) }
        }
    }
}

extension SQL {
    fileprivate static let recordSighting = SQL(
        "UPDATE activations SET last_seen_at = ?2 WHERE id = ?1 AND last_seen_at < ?2")
}
