import TenureCommandLine
import TenureCore
import TenureStore

/// Carries over records that a store lost when it returned to an older state, from another state that still has them.
/// Servers may use the store meanwhile.
///
/// It carries over withdrawals and issued records after the last event that both states have, and records their events
/// again. A transaction saves a row only if the row hasn't changed since the decision about it. Repeating the
/// operation after an interruption completes it.
struct CarryRecovered {
    private let store: any Store
    private let other: any Store
    /// The other state's address, for messages.
    private let name: String
    private let shared: SharedHistory
    private let history: EventsSince

    /// Compares both states without changing them.
    ///
    /// - Parameters:
    ///   - other: The state that may have the records that the store lost.
    ///   - master: The master key, which both states must have.
    ///   - isRewound: Whether a server has detected that the store lost events.
    /// - Throws: ``CommandError`` if nothing can be carried over from the other state.
    init(
        from other: any Store, named name: String, to store: any Store, under master: MasterKey, isRewound: Bool
    ) async throws {
        (self.store, self.other, self.name) = (store, other, name)
        guard try await StoreID.isSame(other, store) else {
            throw CommandError(
                "\(name) belongs to another installation, because it was initialized apart. Nothing was changed. Name the "
                    + "state of this store that has what was lost, such as the former primary's database.")
        }
        for state in [try await MasterKeyState.read(from: other), try await MasterKeyState.read(from: store)] {
            guard state.change == nil, state.resolved(master) != nil else {
                throw CommandError(
                    "\(name) and the store in use have different master keys, because the key was changed. Nothing was changed. "
                        + "Run `tenure master-key rotate` on the one with the former key, with the file of the new one."
                )
            }
        }
        shared = try await SharedHistory.find(in: other, and: store)
        guard !shared.missing.isEmpty else {
            throw CommandError(
                "\(name) is this store itself or an earlier state of it: the store has every event that it has. Nothing was "
                    + "changed. Name the state that has what was lost, such as the former primary's database. If there is "
                    + "none, run `tenure store recovered` without --carry-from.")
        }
        let own = try await ContinueEvents.last(of: store)
        guard shared.sharedUntil != nil || own.isEmpty else {
            throw CommandError(
                "\(name) isn't a state of this store: they have no event in common. Nothing was changed. Name the state that "
                    + "has what was lost, such as the former primary's database.")
        }
        history = await EventsSince.read(from: other, after: shared.last)
        if let fault = history.fault {
            throw CommandError(
                "\(name) can't be read: \(fault.description) Nothing was changed. Make it readable, and repeat the command."
            )
        }
        guard isRewound || !history.hasRestore else {
            throw CommandError(
                "\(name) has itself returned to an older state, or was restored, since both were the same store. Nothing was "
                    + "changed. If it's the one in use, run the command on it, and name the other store with --carry-from."
            )
        }
    }

    /// Makes the store's event numbers continue above those of the other state, unless they do so already.
    ///
    /// The store then counts as rewound until the loss is resolved. Returns whether this changed the store.
    func continueEvents(at now: Timestamp) async throws(StoreError) -> Bool {
        let own = try await ContinueEvents.last(of: store)
        var lost: [TenantID: ClosedRange<Int64>] = [:]
        for (tenant, numbers) in shared.missing {
            if try await !isContinued(tenant, above: numbers.upperBound, own[tenant]) { lost[tenant] = numbers }
        }
        if lost.isEmpty { return false }
        _ = try await store.perform(MendRewound(lost: lost, last: own, now: now).transaction)
        return true
    }

    /// Whether clients that have read the other state's last event of a tenant will read all further events of this
    /// store.
    private func isContinued(_ tenant: TenantID, above number: Int64, _ own: Int64?) async throws(StoreError) -> Bool {
        guard own != nil else {
            // If the missing tenant is created again, its events begin above the floor's number.
            let setting = try await store.setting(EventFloor.setting)
            let floor = setting.flatMap { EventFloor(SettingRecord(name: EventFloor.setting, value: $0)) }
            return floor.map { $0.number >= number } ?? false
        }
        let next = try await store.list(
            Listing(
                EventRecord.ofTenant, [.of(tenant)], after: [.of(tenant), .integer(shared.last[tenant] ?? 0)], limit: 1)
        ).first
        guard let next else { return false }
        if next.sequence > number { return true }
        return try await !store.list(
            Listing(
                EventRecord.ofTenant, [.of(tenant)], where: [[.equals("kind", EventKind.storeRestored)]],
                after: [.of(tenant), .integer(number)], limit: 1)
        ).isEmpty
    }

    /// Carries over the records that the store lacks, and returns a report about them.
    func carry(
        of features: FeatureSet, under master: MasterKey, clock: any WallClock, console: Console
    ) async throws(StoreError) -> CarriedOver {
        let own = OwnHistory(
            of: store, after: shared.last, sharedUntil: shared.sharedUntil ?? Timestamp(seconds: 0), other: history)
        var carried = CarriedOver(.carry(until: nil), .ofRecovery)
        let restoreExclusions = features.restoreExclusions
        let bar = console.progress("carrying over", total: restoreExclusions.count)
        let steps = Share()
        let outcome = try await RestoreReplay(restoreExclusions).replay(
            from: other, to: store, after: own, at: clock.now()
        ) { done, _ in bar.advance(by: steps.advance(to: done)) }
        bar.finish()
        let events = try await own.refresh()
        carried.add(outcome, of: 0) { events.missing(about: $0) }
        // Carrying over issued records requires complete withdrawals. If events were recorded now, a repeated command
        // would skip the remaining records as done.
        guard carried.isComplete else { return carried }
        try await CarryIssued(.carry(until: nil), of: features, under: master).carry(
            from: other, to: store, history: history, others: [], after: own, at: clock.now(),
            adding: &carried.given)
        if carried.isComplete { try await carried.given.events.record(in: store) }
        return carried
    }

    /// Whether the other state's catalog differs from the store's.
    func catalogDiffers(of features: FeatureSet) async throws(StoreError) -> Bool {
        try await CatalogDifference.exists(between: other, and: store, of: features)
    }
}
