import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

// Queries that several use cases of software licenses share.

/// A query for a product's license by its key, as typed and with look-alike characters replaced.
struct KeyLooks: Sendable {
    let exact: RowLook<License>
    let lookAlike: RowLook<License>

    struct Parameters: Sendable {
        let key: PresentedKey
        let product: ProductRef
    }

    init(_ ask: inout Asking<Parameters>) {
        exact = ask.row(License.byKey) {
            [.of($0.key.hash), .of($0.product.tenant), .of($0.product.product)]
        }
        // A key without look-alikes finds nothing.
        lookAlike = ask.row(License.byKey) {
            [.of($0.key.lookAlikeHash), .of($0.product.tenant), .of($0.product.product)]
        }
    }

    /// The license that the key means; the reading as typed takes precedence.
    func license(in seen: Seen) -> License? { seen[exact] ?? seen[lookAlike] }
}

/// An activation by its id, together with its license.
struct SeatLooks: Sendable {
    let activation: RowLook<Activation>
    let license: RowLook<License>

    init(_ ask: inout Asking<ActivationID>) {
        activation = ask.row(Activation.table.key) { [.of($0)] }
        license = ask.row(License.table.key, .column("license_id", of: activation))
    }

    static let form = CatalogForm(SeatLooks.init)
}

/// A license by its key, and an activation with its own license.
struct KeyedSeatLooks: Sendable {
    let key: KeyLooks
    let seat: SeatLooks

    struct Parameters: Sendable {
        let key: KeyLooks.Parameters
        let activation: ActivationID
    }

    init(_ ask: inout Asking<Parameters>) {
        key = ask.part(KeyLooks.init) { $0.key }
        seat = ask.part(SeatLooks.init) { $0.activation }
    }

    static let form = CatalogForm(KeyedSeatLooks.init)

    /// Binds a key and an activation; for a minted key, in the reading with the right check character.
    static func asked(
        _ key: PresentedKey, _ activation: ActivationID, of product: ProductRef
    ) -> CatalogAsked<KeyedSeatLooks> {
        form.asked(.init(key: .init(key: key.minted ?? key, product: product), activation: activation))
    }

    /// Returns the license if the request contains something that can't be guessed, otherwise `nil`.
    ///
    /// That is a live activation together with its license's key, or the license's minted key.
    func provenLicense(for key: PresentedKey, of product: ProductRef, in seen: Seen) -> License? {
        if let activation = seen[seat.activation], activation.isLive, let license = seen[seat.license],
            license.product == product, key.readings.contains(license.key.hash)
        {
            return license
        }
        return key.minted == nil ? nil : self.key.license(in: seen)
    }
}

/// The activations of a license that matter for one device.
struct SeatsLooks: Sendable {
    let taken: CountLook
    let known: RowLook<Activation>

    /// For a license from another query; the request supplies the device's identity.
    init<Parameters>(
        of license: RowLook<License>, _ ask: inout Asking<Parameters>,
        for device: @escaping @Sendable (Parameters) -> DeviceIdentity
    ) {
        taken = ask.count(Activation.live, upTo: Self.enough, .column("id", of: license))
        known = ask.row(Activation.liveOfDevice, .column("id", of: license), .request { .of(device($0).code) })
    }

    /// For the license and device of an activation from another query.
    init(beside activation: RowLook<Activation>, _ ask: inout Asking<some Sendable>) {
        taken = ask.count(Activation.live, upTo: Self.enough, .column("license_id", of: activation))
        known = ask.row(
            Activation.liveOfDevice, .column("license_id", of: activation), .column("identity", of: activation))
    }

    func seats(in seen: Seen) -> Seats {
        Seats(taken: seen[taken], known: seen[known])
    }

    /// One more than the highest limit of any policy, so that counting an unlimited license isn't more expensive.
    private static let enough = Policy.highestActivationLimit + 1
}

/// An activation, its license, and the releases that the license's holder has made.
struct ReleaseLooks: Sendable {
    let seat: SeatLooks
    let releases: RowsLook<Activation>

    init(_ ask: inout Asking<ActivationID>) {
        seat = SeatLooks(&ask)
        releases = ask.rows(
            Activation.releasedByHolder, upTo: SelfRelease.highestPerYear,
            .column("license_id", of: seat.activation))
    }

    /// When the holder released devices, latest first; no rule counts more than the query reads.
    func releases(in seen: Seen) -> [Timestamp] { seen[releases].compactMap(\.releasedAt) }
}

/// A license by its id.
enum LicenseForms {
    struct Rekeying: Sendable {
        let license: LicenseID
        let newKey: LicenseKey
    }

    static let byID = CatalogForm(for: LicenseID.self) { ask in ask.row(License.table.key) { [.of($0)] } }
    static let byIDOnce = RepeatableForm(for: LicenseID.self) { ask in ask.row(License.table.key) { [.of($0)] } }

    /// A license with the history of its current key and of the new one.
    static let rekeyOnce = RepeatableForm(for: Rekeying.self) { ask in
        let license = ask.row(License.table.key) { [.of($0.license)] }
        return (
            license: license,
            former: ask.row(
                FormerKey.table.key, .column("tenant", of: license), .column("product", of: license),
                .column("key_hash", of: license)),
            new: ask.row(
                FormerKey.table.key, .column("tenant", of: license), .column("product", of: license),
                .request { .of($0.newKey.hash) })
        )
    }
}
