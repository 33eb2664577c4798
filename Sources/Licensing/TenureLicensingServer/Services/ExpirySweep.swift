import TenureCore
import TenureLicensing
public import TenureServerKit
public import TenureStore

/// Records expired licenses, on one of the servers that share a store.
struct ExpirySweep: Service {
    let licensing: LicensingContext
    let interval: Duration

    var name: String { "expiry_sweep" }

    var role: Role? { .expirySweep }

    /// Records one batch; a full batch is followed by the next at once.
    func turn(as leader: LeaderTerm?) async throws(ServerError) -> NextTurn {
        guard let leader else { return .after(interval) }
        return try await licensing.expireLicenses(as: leader) == LicensingContext.expiryBatch
            ? .atOnce : .after(interval)
    }
}

extension LicensingContext {
    /// Records which licenses have expired, so that an event is published for each.
    ///
    /// Records at most one batch of expired licenses, and returns how many it recorded.
    ///
    /// Each license is a change of its own, so one failure doesn't affect the others. The store runs them in one
    /// transaction and gives requests of devices priority. Repeated calls record nothing twice. Throws ``ServerError``.
    ///
    /// - Parameter leader: The caller's leadership; once another server has taken over, nothing more is recorded.
    public func expireLicenses(as leader: LeaderTerm) async throws(ServerError) -> Int {
        let now = clock.now()
        let due = try await store.licensesToExpire(at: now, limit: Self.expiryBatch)
        let recorded = try await store.performTogether(
            due.map { license in
                Transaction(LedLicense.plan.bind(.init(license: license, role: leader.role)), yielding: true) {
                    results in
                    let queries = LedLicense.plan.queries
                    let license = results[queries.license]
                    guard results[queries.leader] == leader,
                        case .granted(let consequences)? = license?.expire(at: now)
                    else {
                        return TransactionResult(false)
                    }
                    return TransactionResult(!consequences.isEmpty, [RowWrite](consequences, over: license))
                }
            })
        return recorded.count { $0 }
    }

    /// The most licenses per call, which is as many as a store saves in one transaction.
    package static let expiryBatch = 256
}

/// Reads a license and the current leader of the sweep.
private enum LedLicense {
    struct Parameters: Sendable {
        let license: LicenseID
        let role: Role
    }

    static let plan = QueryPlan(for: Parameters.self) { query in
        (
            license: query.row(License.table.key) { [.of($0.license)] },
            leader: query.row(LeaderTerm.table.key) { [.of($0.role)] }
        )
    }
}
