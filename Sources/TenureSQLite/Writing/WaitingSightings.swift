import TenureCore
import TenureStore

/// Sightings that wait to be written down.
struct WaitingSightings: Sendable {
    /// What is left to write; a large gathering is written in portions, so that no change waits long for it.
    var rest: ArraySlice<(key: ActivationID, value: Timestamp)>
    let caller: CheckedContinuation<Result<Void, StoreError>, Never>

    /// Takes the next portion off.
    mutating func nextPortion() -> ArraySlice<(key: ActivationID, value: Timestamp)> {
        let portion = rest.prefix(Self.portion)
        rest = rest.dropFirst(Self.portion)
        return portion
    }

    private static let portion = 1_000
}

extension Connection {
    /// Writes sightings down in a transaction of their own; one that is older than what is stored changes nothing.
    func record(_ sightings: ArraySlice<(key: ActivationID, value: Timestamp)>) throws(StoreError) {
        try run(.beginImmediate)
        do {
            for (id, moment) in sightings { try run(.recordSighting, [.id(id), .moment(moment)]) }
            try run(.commit)
        } catch {
            if isInTransaction { try? run(.rollback) }
            throw error
        }
    }
}

extension SQL {
    fileprivate static let recordSighting = SQL(
        "UPDATE activations SET last_seen_at = ?2 WHERE id = ?1 AND last_seen_at < ?2")
}
