package import TenureCore
import TenureStore

extension FeatureContext {
    /// Records that the operator confirms this host's clock, and its difference from the database's clock.
    ///
    /// The confirmed time replaces the latest time that the store has seen, which may be later or long ago. Each
    /// tenant gets the event `clock.accepted`. The record is durable before this returns. Running servers whose clocks
    /// agree with the confirmed time then trust their clocks again within seconds.
    ///
    /// Returns the replaced latest time; `nil` if the store had none.
    package func acceptClock(_ now: Timestamp, by actor: Actor) async throws(ServerError) -> Timestamp? {
        let tenants = try await store.all(TenantRow.table.all)
        let plan = ClockWatch.Mark.settings
        let names = ClockWatch.Mark.names
        let database = try await store.time()
        let apart = database.map { Timestamp(seconds: $0).seconds(until: now) } ?? 0
        return try await store.perform(
            Transaction(plan.bind(names)) { seen -> TransactionResult<Timestamp?> in
                let rows = Dictionary(uniqueKeysWithValues: seen[plan.queries].map { ($0.name, $0) })
                let former = ClockWatch.Mark.time(rows[ClockWatch.Mark.seenName]?.value)
                let settings = [
                    ClockWatch.Mark.setting(ClockWatch.Mark.seenName, now.seconds),
                    ClockWatch.Mark.setting(ClockWatch.Mark.acceptedName, now.seconds),
                    ClockWatch.Mark.setting(ClockWatch.Mark.apartName, apart),
                ]
                let events = tenants.map { tenant in
                    Event(
                        .clockAccepted, at: now, actor: actor, about: .init(tenant: tenant.id),
                        facts: former.map { [.init("latestSeen", .date($0))] } ?? [])
                }
                // The stored reading dates from before the clock was set.
                let removed = rows[ClockWatch.Mark.readingName].map { [RowWrite.remove($0)] } ?? []
                return TransactionResult(
                    former, settings.map { .put($0, over: rows[$0.name]) } + removed + events.map { .event($0) })
            })
    }
}

extension EventKind {
    /// The operator confirmed that the server's clock is right.
    static let clockAccepted = EventKind(
        "clock.accepted",
        "The operator said that the clock of the server is right, which the server had doubted or might have.",
        facts: [.date("latestSeen").optional], since: "0.2")

    static let time: [EventKind] = [.clockAccepted]
}
