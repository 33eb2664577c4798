import TenureServerKit
import TenureStore

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
