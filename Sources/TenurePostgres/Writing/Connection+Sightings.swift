import TenureCore
import TenureStore

extension Connection {
    /// Writes sightings down in a transaction of their own; one that is older than what is stored changes nothing.
    ///
    /// They may be lost, so that nobody waits for the disk, nor for a row that a change holds.
    func record(_ sightings: ArraySlice<(key: ActivationID, value: Timestamp)>) throws(StoreError) {
        let values: [Value] = [.ids(sightings.map(\.key)), .integers(sightings.map(\.value.seconds))]
        do {
            _ = try roundTrip([
                Statement(.begin), Statement(.withoutWaiting), Statement(.recordSightings, values), Statement(.commit),
            ])
        } catch {
            if !isLost { _ = try? run(.rollback) }
            throw error
        }
    }
}

extension SQL {
    fileprivate static let withoutWaiting = SQL("SET LOCAL synchronous_commit = off")
    fileprivate static let recordSightings = SQL(
        """
        WITH seen AS (
            SELECT a.id, w.at FROM unnest($1::uuid[], $2::bigint[]) AS w (id, at) JOIN activations a ON a.id = w.id
            WHERE a.last_seen_at < w.at FOR NO KEY UPDATE OF a SKIP LOCKED
        )
        UPDATE activations a SET last_seen_at = seen.at FROM seen WHERE a.id = seen.id
        """)
}
