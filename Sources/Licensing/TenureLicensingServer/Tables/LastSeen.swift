public import TenureCore
public import TenureLicensing
package import TenureServerKit
public import TenureStore

/// When an activation's device last sent a request.
///
/// An activation has no such row until its device sends a request after it was activated. The times have a table of
/// their own because they change far more often than the activations. Their rows are small and lie next to each other,
/// so a batch of them writes few pages.
public struct LastSeen: Sendable, Hashable, Stored {
    /// The activation whose device sent the request.
    public let activation: ActivationID
    /// When the device last sent a request.
    public let at: Timestamp

    package init(_ activation: ActivationID, at: Timestamp) {
        self.activation = activation
        self.at = at
    }

    /// The times at which devices were last seen.
    ///
    /// There is no foreign key, because the database would search the large table of activations for each new row.
    /// Times are recorded for stored activations only, and are deleted with them.
    public static let table = Table<LastSeen>(
        "last_seen", key: ["activation_id"],
        [Field("activation_id") { $0.activation }, Field("seen_at") { $0.at }], layout: .frequentUpdates
    ) { row in LastSeen(try row.next(), at: try row.next()) }
}

/// An activation, and when its device last sent a request.
public struct SeenActivation: Sendable, Hashable {
    /// The activation whose device was seen.
    public let activation: Activation
    /// When the activation's device last sent a request.
    ///
    /// The server collects these times and writes them in the background, so the value may lag behind.
    public let lastSeenAt: Timestamp

    package init(_ activation: Activation, lastSeenAt: Timestamp) {
        self.activation = activation
        self.lastSeenAt = lastSeenAt
    }
}

/// The devices of a license, as many as a list shows.
public struct DeviceList: Sendable, Hashable {
    /// The active devices, oldest activation first; if a list can't show all, only the most recently activated.
    public let active: [SeenActivation]
    /// How many devices are activated, counted up to one more than a policy's highest limit.
    public let activeCount: Int
    /// The most recently released devices, oldest activation first; empty if they weren't requested.
    public let released: [SeenActivation]
    /// Whether there are released devices that the list leaves out.
    public let hasMoreReleased: Bool

    /// The number of activated devices that aren't listed.
    public var hidden: Int { activeCount - active.count }

    /// The listed devices, oldest activation first.
    public var all: [SeenActivation] {
        if released.isEmpty { return active }
        return (active + released).sorted { one, other in
            let (one, other) = (one.activation, other.activation)
            return (one.activatedAt, one.id.high, one.id.low) < (other.activatedAt, other.id.high, other.id.low)
        }
    }

    /// The list with this active device in place of the one that was activated longest ago, unless it's already listed.
    func listing(_ own: SeenActivation) -> DeviceList {
        guard !active.contains(where: { $0.activation.id == own.activation.id }) else { return self }
        return DeviceList(
            active: [own] + active.dropFirst(), activeCount: activeCount, released: released,
            hasMoreReleased: hasMoreReleased)
    }

    /// The same list with its devices under their public ids.
    package func shown(by names: PublicNames) -> DeviceList {
        DeviceList(
            active: active.map { names.shown($0) }, activeCount: activeCount,
            released: released.map { names.shown($0) },
            hasMoreReleased: hasMoreReleased)
    }
}

extension RecordStore {
    /// Lists the most recently activated devices of a license for its holder; at most 100.
    func devices(of license: LicenseID) async throws(Failure) -> DeviceList {
        try await devices(of: license, by: DeviceQueries.holder)
    }

    /// Lists the devices of a license that were activated last, and on request those released last: at most 1,000 each.
    package func devices(
        of license: LicenseID, includingReleased: Bool
    ) async throws(Failure) -> DeviceList {
        try await devices(of: license, by: includingReleased ? DeviceQueries.all : DeviceQueries.active)
    }

    private func devices(
        of license: LicenseID, by plan: QueryPlan<LicenseID, DeviceQueries>
    ) async throws(Failure) -> DeviceList {
        let results = try await fetch(plan.bind(license))
        let queries = plan.queries
        let seen = Dictionary(
            (results[queries.seen] + (queries.seenReleased.map { results[$0] } ?? [])).map { ($0.activation, $0.at) }
        ) { first, _ in first }
        func seenActivation(_ activation: Activation) -> SeenActivation {
            // A device that hasn't sent a request since its activation was last seen then.
            let activated = activation.activatedAt
            return SeenActivation(activation, lastSeenAt: max(activated, seen[activation.id] ?? activated))
        }
        let active = results[queries.active].prefix(queries.limit)
        let released = queries.released.map { results[$0] } ?? []
        return DeviceList(
            active: active.reversed().map(seenActivation), activeCount: max(active.count, results[queries.count]),
            released: released.prefix(queries.limit).sorted { $0.activatedAt < $1.activatedAt }.map(seenActivation),
            hasMoreReleased: released.count > queries.limit)
    }

    /// Lists all activated devices of a license, for a command that looks for one of them; oldest activation first.
    package func allActiveDevices(of license: LicenseID) async throws(Failure) -> [SeenActivation] {
        try await devices(of: license, by: DeviceQueries.everyActive).active
    }

    /// Finds an activation and when its device was last seen; `nil` if there is no such activation.
    func seenActivation(_ id: ActivationID) async throws(Failure) -> SeenActivation? {
        let plan = DeviceQueries.one
        let results = try await fetch(plan.bind(id))
        return results[plan.queries.activation].map { activation in
            let seen = results[plan.queries.seen]?.at ?? activation.activatedAt
            return SeenActivation(activation, lastSeenAt: max(activation.activatedAt, seen))
        }
    }

    /// Records when devices were last seen; each activation may occur once.
    ///
    /// The write may be lost, because no decision depends on it and no device waits for it. It's made in portions,
    /// because the times take four times the memory as stored values.
    package func recordSightings(_ sightings: [(key: ActivationID, value: Timestamp)]) async throws(Failure) {
        for start in stride(from: 0, to: sightings.count, by: portion) {
            try await note(LossyUpdate(LastSeen.table, sightings[start...].prefix(portion)))
        }
    }
}

/// The most times that are written with one lossy update.
private let portion = 8_000

/// Queries the most recently activated devices of a license, one more than a list shows, and the number of all.
private struct DeviceQueries: Sendable {
    let limit: Int
    let active: RowsQuery<Activation>
    let count: CountQuery
    let seen: RowsQuery<LastSeen>
    var released: RowsQuery<Activation>?
    var seenReleased: RowsQuery<LastSeen>?

    private init(_ limit: Int, withReleased: Bool = false, _ query: inout QueryBuilder<LicenseID>) {
        self.limit = limit
        active = query.rows(Activation.newestLive, upTo: limit == .everything ? limit : limit + 1) { [.of($0)] }
        count = query.count(Activation.live, upTo: Policy.highestActivationLimit + 1) { [.of($0)] }
        seen = query.each(LastSeen.table.key, .column("id", of: active))
        guard withReleased else { return }
        let latest = query.rows(Activation.latestReleased, upTo: limit + 1) { [.of($0)] }
        released = latest
        seenReleased = query.each(LastSeen.table.key, .column("id", of: latest))
    }

    static let holder = QueryPlan(for: LicenseID.self) { query in
        DeviceQueries(TenureDevices.mostDevices, &query)
    }
    static let active = QueryPlan(for: LicenseID.self) { query in DeviceQueries(operatorLimit, &query) }
    static let all = QueryPlan(for: LicenseID.self) { query in
        DeviceQueries(operatorLimit, withReleased: true, &query)
    }
    static let one = QueryPlan(for: ActivationID.self) { query in
        (activation: query.row(Activation.table.key) { [.of($0)] }, seen: query.row(LastSeen.table.key) { [.of($0)] })
    }
    static let everyActive = QueryPlan(for: LicenseID.self) { query in DeviceQueries(.everything, &query) }

    /// How many devices an operator's list shows.
    private static let operatorLimit = 1_000
}
