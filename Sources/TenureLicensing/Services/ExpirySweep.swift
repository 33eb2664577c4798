import TenureCore
public import TenureServerKit
public import TenureStore

/// Records expiries as time brings them, on one of the servers that share a store.
struct ExpirySweep: Service {
    let expire: ExpireLicenses
    let interval: Duration

    var name: String { "expiry_sweep" }

    var role: Role? { .expirySweep }

    /// Records a batch; a full one is followed at once by the next.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        guard let leader else { return .after(interval) }
        return try await expire(as: leader) == ExpireLicenses.batch ? .atOnce : .after(interval)
    }
}

/// Writes down which licenses time has expired, so that there is an event to tell others.
public struct ExpireLicenses: Sendable {
    let store: any Store
    let clock: any WallClock

    /// Records in a store, by a clock.
    package init(store: any Store, clock: any WallClock) {
        self.store = store
        self.clock = clock
    }

    /// Records those that are due, at most a batch; answers how many were recorded.
    ///
    /// Each license is a change of its own, so that one that fails fails alone; they are handed to the store together, to
    /// be one transaction, and let devices go first. Repeating it records nothing twice. Throws ``ServerError``.
    /// - Parameter leader: The caller's lead; once another server has it, nothing is recorded any more.
    public func callAsFunction(as leader: LeaderTerm) async throws(ServerError) -> Int {
        let now = clock.now()
        return try await asking { () async throws(StoreError) in
            let due = try await store.licensesToExpire(at: now, limit: Self.batch)
            let recorded = try await store.performTogether(
                due.map { license in
                    Change(LedLicense.form.asked(.of(license), .of(leader.role)), yielding: true) { seen in
                        let looks = LedLicense.form.looks
                        let license = seen[looks.license]
                        guard seen[looks.leader] == leader, case .granted(let consequences)? = license?.expire(at: now)
                        else {
                            return Saving(false)
                        }
                        return Saving(!consequences.isEmpty, [Save](consequences, over: license))
                    }
                })
            return recorded.count { $0 }
        }
    }

    /// As many as a store saves in one transaction.
    package static let batch = 256
}

/// A license, and whose turn it is to record what time does to it.
private enum LedLicense {
    static let form = LoadForm { ask in (license: ask.row(License.table.key), leader: ask.row(LeaderTerm.table.key)) }
}
