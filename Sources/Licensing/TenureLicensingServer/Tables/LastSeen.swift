public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

/// When an activation's device last sent a request.
///
/// An activation has no such row until its device sends a request after it was activated. The times have a table of
/// their own because they change far more often than the activations. Their rows are small and lie next to each other,
/// so a batch of them writes few pages.
public struct LastSeen: Sendable, Hashable, Stored {
    /// The activation.
    public let activation: ActivationID
    /// When its device last sent a request.
    public let at: Timestamp

    package init(_ activation: ActivationID, at: Timestamp) {
        self.activation = activation
        self.at = at
    }

    /// The times at which devices were last seen.
    ///
    /// Without a foreign key, because the database would then search the large table of activations for each new row.
    /// Times are recorded for stored activations only, and an activation is never deleted.
    public static let table = Table<LastSeen>(
        "last_seen", key: ["activation_id"],
        [Field("activation_id") { $0.activation }, Field("seen_at") { $0.at }], layout: .frequentUpdates
    ) { row in LastSeen(try row.next(), at: try row.next()) }
}

/// An activation, and when its device last sent a request.
public struct SeenActivation: Sendable, Hashable {
    /// The activation.
    public let activation: Activation
    /// When its device last sent a request.
    ///
    /// The server collects these times and writes them in the background, so the value may lag behind.
    public let lastSeenAt: Timestamp

    package init(_ activation: Activation, lastSeenAt: Timestamp) {
        self.activation = activation
        self.lastSeenAt = lastSeenAt
    }
}

extension Store {
    /// Lists the activations of a license with the times at which their devices were last seen, oldest activation first.
    ///
    /// Released activations are included only on request.
    package func seenActivations(
        of license: LicenseID, includingReleased: Bool
    ) async throws(StoreError) -> [SeenActivation] {
        let plan = includingReleased ? SeenQueries.all : SeenQueries.live
        let results = try await fetch(plan.bind(license))
        let seen = Dictionary(results[plan.queries.seen].map { ($0.activation, $0.at) }) { first, _ in first }
        return results[plan.queries.activations].map { activation in
            // A device that wasn't seen since it was activated was last seen then.
            let activated = activation.activatedAt
            return SeenActivation(activation, lastSeenAt: max(activated, seen[activation.id] ?? activated))
        }
    }

    /// Records when devices were last seen; each activation may occur once.
    ///
    /// It's the only write that may be lost, because no device waits for it. It's written in portions, because as
    /// stored values, the times take four times the memory.
    package func recordSightings(_ sightings: [(key: ActivationID, value: Timestamp)]) async throws(StoreError) {
        for start in stride(from: 0, to: sightings.count, by: portion) {
            try await note(LossyUpdate(LastSeen.table, sightings[start...].prefix(portion)))
        }
    }
}

/// The most times that are written with one lossy update.
private let portion = 8_000

private struct SeenQueries: Sendable {
    let activations: RowsQuery<Activation>
    let seen: RowsQuery<LastSeen>

    private init(_ set: RowSet<Activation>, _ query: inout QueryBuilder<LicenseID>) {
        activations = query.rows(set, upTo: .everything) { [.of($0)] }
        seen = query.each(LastSeen.table.key, .column("id", of: activations))
    }

    static let all = QueryPlan(for: LicenseID.self) { query in SeenQueries(Activation.ofLicense, &query) }
    static let live = QueryPlan(for: LicenseID.self) { query in SeenQueries(Activation.live, &query) }
}
