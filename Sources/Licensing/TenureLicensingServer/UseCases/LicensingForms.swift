import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

// Queries that several use cases of software licenses share.

/// A query for a product's license by its key, as typed and with look-alike characters replaced.
struct KeyLooks: Sendable {
    let exact: RowLook<License>
    let lookAlike: RowLook<License>

    init(_ ask: inout Asking) {
        exact = ask.row(License.byKey)
        lookAlike = ask.row(License.byKey)
    }

    /// The values of both queries; for a key without look-alikes, the second one finds nothing.
    static func values(_ key: PresentedKey, of product: ProductRef) -> [StoredValue] {
        let (tenant, product) = (StoredValue.of(product.tenant), StoredValue.of(product.product))
        var values: [StoredValue] = []
        // Reserves space for the values that a form adds.
        values.reserveCapacity(8)
        for hash in [StoredValue.of(key.hash), .of(key.lookAlikeHash)] {
            values.append(hash)
            values.append(tenant)
            values.append(product)
        }
        return values
    }

    /// The license that the key means; the reading as typed takes precedence.
    func license(in seen: Seen) -> License? { seen[exact] ?? seen[lookAlike] }
}

/// An activation by its id, together with its license.
struct SeatLooks: Sendable {
    let activation: RowLook<Activation>
    let license: RowLook<License>

    init(_ ask: inout Asking) {
        activation = ask.row(Activation.table.key)
        license = ask.row(License.table.key, .column("license_id", of: activation))
    }

    static let form = CatalogForm(SeatLooks.init)
}

/// A license by its key, and an activation with its own license.
struct KeyedSeatLooks: Sendable {
    let key: KeyLooks
    let seat: SeatLooks

    init(_ ask: inout Asking) {
        key = KeyLooks(&ask)
        seat = SeatLooks(&ask)
    }

    static let form = CatalogForm(KeyedSeatLooks.init)

    /// Binds a key and an activation; for a minted key, in the reading with the right check character.
    static func asked(
        _ key: PresentedKey, _ activation: ActivationID, of product: ProductRef
    ) -> CatalogAsked<KeyedSeatLooks> {
        form.asked(all: KeyLooks.values(key.minted ?? key, of: product) + [.of(activation)])
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
    init(of license: RowLook<License>, _ ask: inout Asking) {
        taken = ask.count(Activation.live, upTo: Self.enough, .column("id", of: license))
        known = ask.row(Activation.liveOfDevice, .column("id", of: license), .request)
    }

    /// For the license and device of an activation from another query.
    init(beside activation: RowLook<Activation>, _ ask: inout Asking) {
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

    init(_ ask: inout Asking) {
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
    static let byID = CatalogForm { ask in ask.row(License.table.key) }
    static let byIDOnce = RepeatableForm { ask in ask.row(License.table.key) }

    /// A license with the history of its current key and of the new one.
    static let rekeyOnce = RepeatableForm { ask in
        let license = ask.row(License.table.key)
        let product = (LookSource.column("tenant", of: license), LookSource.column("product", of: license))
        return (
            license: license,
            former: ask.row(FormerKey.table.key, product.0, product.1, .column("key_hash", of: license)),
            new: ask.row(FormerKey.table.key, product.0, product.1, .request)
        )
    }
}
