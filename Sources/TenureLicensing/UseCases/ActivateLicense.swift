public import TenureCore
import TenureCrypto
public import TenureServerKit
import TenureStore

/// Gives a device a seat of a license, or says why not.
public struct ActivateLicense: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// What the wish comes to.
    public enum Outcome: Sendable {
        /// No license of this product goes by that key.
        case unknown(Refusal)
        /// The law's answer about this license.
        case answered(License, ActivateAnswer)
    }

    /// Decides and saves in one transaction; the seat is durable before this returns.
    ///
    /// Repeating it with the same device identity gives the same activation and changes nothing.
    /// Answers nil, and saves nothing, when the catalog is no longer this one: whoever was let in under it has to be
    /// looked at again. Throws ``ServerError``: after a transient one the same call may be made again.
    public func callAsFunction(
        _ key: PresentedKey, of product: ProductRef, for device: PresentedDevice, name: String,
        under snapshot: CatalogSnapshot
    ) async throws(ServerError) -> Outcome? {
        var random = SecureRandom()
        let attempt = ActivationAttempt(
            newID: ActivationID.random(using: &random), identity: device.identity, former: device.former, name: name)
        let now = clock.now()
        let devices: [StoredValue] = [.of(device.identity.code), .of(device.former?.code)]
        let asked = Self.form.asked(all: KeyLooks.values(key, of: product) + devices + devices)
        return try await catalog.perform(under: snapshot, asked) {
            (seen, looks, snapshot) throws(ServerError) -> Saving<Outcome> in
            guard let (license, seats) = looks.found(in: seen) else {
                return Saving(.unknown(Refusal(.licenseUnknown)))
            }
            let answer = license.activate(attempt, seats: seats, under: try snapshot.policy(of: license), at: now)
            switch answer {
            case .activated(_, _, let consequences):
                return Saving(.answered(license, answer), [Save](consequences, over: license))
            case .refused:
                return Saving(.answered(license, answer))
            }
        }
    }

    private static let form = CatalogForm(Looks.init)

    /// The license, and its seats as the device sees them, for either reading of the key.
    private struct Looks: Sendable {
        let key: KeyLooks
        let seats: SeatsLooks
        let lookAlikeSeats: SeatsLooks

        init(_ ask: inout Asking) {
            key = KeyLooks(&ask)
            seats = SeatsLooks(of: key.exact, &ask)
            lookAlikeSeats = SeatsLooks(of: key.lookAlike, &ask)
        }

        func found(in seen: Seen) -> (License, Seats)? {
            if let license = seen[key.exact] { return (license, seats.seats(in: seen)) }
            return seen[key.lookAlike].map { ($0, lookAlikeSeats.seats(in: seen)) }
        }
    }
}
