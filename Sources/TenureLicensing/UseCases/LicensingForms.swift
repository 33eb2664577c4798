import TenureCore
import TenureServerKit
import TenureStore

// What decisions about licenses for software look at, where several use cases look at the same.

/// A license by its key among those of one product: as it was typed, and with look-alikes read as what they resemble.
struct KeyLooks: Sendable {
    let exact: RowLook<License>
    let lookAlike: RowLook<License>

    init(_ ask: inout Asking) {
        exact = ask.row(License.byKey)
        lookAlike = ask.row(License.byKey)
    }

    /// The values that both looks take; a key without look-alikes leaves the second nothing to find.
    static func values(_ key: PresentedKey, of product: ProductRef) -> [StoredValue] {
        let (tenant, product) = (StoredValue.of(product.tenant), StoredValue.of(product.product))
        var values: [StoredValue] = []
        // With room for what a form asks beside them.
        values.reserveCapacity(8)
        for hash in [StoredValue.of(key.hash), .of(key.lookAlikeHash)] {
            values.append(hash)
            values.append(tenant)
            values.append(product)
        }
        return values
    }

    /// The license that is meant: a key that fits as it was typed is never read otherwise.
    func license(in seen: Seen) -> License? { seen[exact] ?? seen[lookAlike] }
}

/// An activation by its id, with the license whose seat it takes.
struct SeatLooks: Sendable {
    let activation: RowLook<Activation>
    let license: RowLook<License>

    init(_ ask: inout Asking) {
        activation = ask.row(Activation.table.key)
        license = ask.row(License.table.key, .column("license_id", of: activation))
    }

    static let form = CatalogForm(SeatLooks.init)
}

/// A license by its key, beside an activation with its license.
struct KeyedSeatLooks: Sendable {
    let key: KeyLooks
    let seat: SeatLooks

    init(_ ask: inout Asking) {
        key = KeyLooks(&ask)
        seat = SeatLooks(&ask)
    }

    static let form = CatalogForm(KeyedSeatLooks.init)

    /// Asks for a key and an activation; for a minted key in the reading that has the right check character.
    static func asked(
        _ key: PresentedKey, _ activation: ActivationID, of product: ProductRef
    ) -> CatalogAsked<KeyedSeatLooks> {
        form.asked(all: KeyLooks.values(key.minted ?? key, of: product) + [.of(activation)])
    }

    /// The license, if the request shows something that can't be guessed: a live activation of it beside its key, or
    /// its minted key. Nil otherwise.
    func provenLicense(for key: PresentedKey, of product: ProductRef, in seen: Seen) -> License? {
        if let activation = seen[seat.activation], activation.isLive, let license = seen[seat.license],
            license.product == product, key.readings.contains(license.key.hash)
        {
            return license
        }
        return key.minted == nil ? nil : self.key.license(in: seen)
    }
}

/// The seats of a license as one device sees them.
struct SeatsLooks: Sendable {
    let taken: CountLook
    let known: RowLook<Activation>
    /// The same by what the device was known by before, if that is looked for.
    let former: RowLook<Activation>?

    /// Of a license that was looked for, for a device whose identity comes with the request, and its former one.
    init(of license: RowLook<License>, _ ask: inout Asking) {
        taken = ask.count(Activation.live, upTo: Self.enough, .column("id", of: license))
        known = ask.row(Activation.liveOfDevice, .column("id", of: license), .request)
        former = ask.row(Activation.liveOfDevice, .column("id", of: license), .request)
    }

    /// Of an activation's license, for that activation's device.
    init(beside activation: RowLook<Activation>, _ ask: inout Asking) {
        taken = ask.count(Activation.live, upTo: Self.enough, .column("license_id", of: activation))
        known = ask.row(
            Activation.liveOfDevice, .column("license_id", of: activation), .column("identity", of: activation))
        former = nil
    }

    /// What the looks found.
    func seats(in seen: Seen) -> Seats {
        Seats(taken: seen[taken], known: seen[known] ?? former.flatMap { seen[$0] })
    }

    /// One more than any policy's limit, so that a license without a limit costs no more.
    private static let enough = Policy.highestActivationLimit + 1
}

/// A seat with the releases that the holder of its license has used up.
struct ReleaseLooks: Sendable {
    let seat: SeatLooks
    let releases: RowsLook<Activation>

    init(_ ask: inout Asking) {
        seat = SeatLooks(&ask)
        releases = ask.rows(
            Activation.releasedByHolder, upTo: SelfRelease.highestPerYear,
            .column("license_id", of: seat.activation))
    }

    /// When the holder released devices, the latest first; no rule counts more than these.
    func releases(in seen: Seen) -> [Timestamp] { seen[releases].compactMap(\.releasedAt) }
}

/// A license by its id.
enum LicenseForms {
    static let byID = CatalogForm { ask in ask.row(License.table.key) }
    static let byIDOnce = RepeatableForm { ask in ask.row(License.table.key) }

    /// The same for a new key: what is known of the key that it has as one of the past, and of the one it shall get.
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
