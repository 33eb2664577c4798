public import TenureCore
public import TenureServerKit
import TenureStore

/// Takes a release back, for the operator: a holder released the wrong device, or somebody else did.
public struct RestoreActivation: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Decides under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// Gives the device its place again; durable before this returns. Whether this call changed anything, or why not.
    ///
    /// The activation is named by its own id or by its public one. Answers nil when there is none. Throws
    /// ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        named id: ActivationID, by actor: Actor
    ) async throws(ServerError) -> Decision<Bool>? {
        if let decision = try await restore(id, by: actor) { return decision }
        return try await restore(catalog.master.names.meant(id), by: actor)
    }

    private func restore(
        _ activation: ActivationID, by actor: Actor
    ) async throws(ServerError) -> Decision<Bool>? {
        let now = clock.now()
        return try await catalog.perform(Self.form.asked(.of(activation))) {
            (seen, looks, snapshot) throws(ServerError) -> Saving<Decision<Bool>?> in
            guard let license = seen[looks.seat.license], let seat = seen[looks.seat.activation] else {
                return Saving(nil)
            }
            let seats = looks.seats.seats(in: seen)
            switch license.restore(seat, seats: seats, under: try snapshot.policy(of: license), by: actor, at: now) {
            case .refused(let refusal): return Saving(.refused(refusal))
            case .granted(let consequences):
                return Saving(.granted(!consequences.isEmpty), [Save](consequences, over: license, seat))
            }
        }
    }

    private static let form = CatalogForm { ask in
        let seat = SeatLooks(&ask)
        return (seat: seat, seats: SeatsLooks(beside: seat.activation, &ask))
    }
}
