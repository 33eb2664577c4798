import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

// Queries that several use cases of software licenses share.

/// A query for a product's license by its key, as typed and with look-alike characters replaced.
struct KeyQueries: Sendable {
    let exact: RowQuery<License>
    let lookAlike: RowQuery<License>

    struct Parameters: Sendable {
        let key: PresentedKey
        let product: ProductRef
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        exact = query.row(License.byKey) {
            [.of($0.key.hash), .of($0.product.tenant), .of($0.product.product)]
        }
        // If the key has no look-alikes, the hash is `nil`, and this query finds nothing.
        lookAlike = query.row(License.byKey) {
            [.of($0.key.lookAlikeHash), .of($0.product.tenant), .of($0.product.product)]
        }
    }

    /// The license with the key; `nil` if there is none. The key as typed takes precedence over the key with look-alike
    /// characters replaced.
    func license(in results: QueryResult) -> License? { results[exact] ?? results[lookAlike] }
}

/// An activation by its id, together with its license.
struct ActivationQueries: Sendable {
    let activation: RowQuery<Activation>
    let license: RowQuery<License>

    init(_ query: inout QueryBuilder<ActivationID>) {
        activation = query.row(Activation.table.key) { [.of($0)] }
        license = query.row(License.table.key, .column("license_id", of: activation))
    }

    static let plan = CatalogQueryPlan(ActivationQueries.init)
}

/// A license by its key, and an activation with its own license.
struct KeyedActivationQueries: Sendable {
    let key: KeyQueries
    let record: ActivationQueries

    struct Parameters: Sendable {
        let key: KeyQueries.Parameters
        let activation: ActivationID
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        key = query.part(KeyQueries.init) { $0.key }
        record = query.part(ActivationQueries.init) { $0.activation }
    }

    static let plan = CatalogQueryPlan(KeyedActivationQueries.init)

    /// Binds a key and an activation; for a minted key, in the reading whose check character is valid.
    static func bind(
        _ key: PresentedKey, _ activation: ActivationID, of product: ProductRef
    ) -> BoundCatalogQuery<KeyedActivationQueries> {
        plan.bind(.init(key: .init(key: key.minted ?? key, product: product), activation: activation))
    }

    /// Returns the license if the request contains something that can't be guessed, otherwise `nil`.
    ///
    /// That is a live activation together with its license's key, or the license's minted key.
    func provenLicense(for key: PresentedKey, of product: ProductRef, in results: QueryResult) -> License? {
        if let license = liveLicense(of: product, in: results), key.readings.contains(license.key.hash) {
            return license
        }
        return key.minted == nil ? nil : self.key.license(in: results)
    }

    /// The product's license on which the named activation is live, whatever the request's key is; `nil` if there is
    /// none.
    func liveLicense(of product: ProductRef, in results: QueryResult) -> License? {
        guard let activation = results[record.activation], activation.isLive, let license = results[record.license],
            license.product == product
        else { return nil }
        return license
    }
}

/// The rows of a license's activations for a decision about one device: their number, and the device's own activation.
struct DeviceActivationQueries: Sendable {
    let activeCount: CountQuery
    let existing: RowQuery<Activation>

    /// Queries a license that another query reads; the request supplies the device's identity.
    init<Parameters>(
        of license: RowQuery<License>, _ query: inout QueryBuilder<Parameters>,
        for device: @escaping @Sendable (Parameters) -> DeviceIdentity
    ) {
        activeCount = query.count(Activation.live, upTo: Self.enough, .column("id", of: license))
        existing = query.row(Activation.liveOfDevice, .column("id", of: license), .request { .of(device($0).code) })
    }

    /// Queries the license and device of an activation that another query reads.
    init(beside activation: RowQuery<Activation>, _ query: inout QueryBuilder<some Sendable>) {
        activeCount = query.count(Activation.live, upTo: Self.enough, .column("license_id", of: activation))
        existing = query.row(
            Activation.liveOfDevice, .column("license_id", of: activation), .column("identity", of: activation))
    }

    func activations(in results: QueryResult) -> License.Activations {
        License.Activations(activeCount: results[activeCount], existing: results[existing])
    }

    /// One more than the highest limit of any policy, so that counting an unlimited license isn't more expensive.
    private static let enough = Policy.highestActivationLimit + 1
}

/// An activation, its license, and the releases that the license's holder has made.
struct ReleaseQueries: Sendable {
    let record: ActivationQueries
    let releases: RowsQuery<Activation>

    init(_ query: inout QueryBuilder<ActivationID>) {
        record = ActivationQueries(&query)
        releases = query.rows(
            Activation.releasedByHolder, upTo: SelfRelease.highestPerYear,
            .column("license_id", of: record.activation))
    }

    /// When the holder released devices, latest first; at most as many times as a policy may allow per year.
    func releases(in results: QueryResult) -> [Timestamp] { results[releases].compactMap(\.releasedAt) }
}

/// Query plans that read a license by its id.
enum LicenseQueryPlans {
    struct Rekeying: Sendable {
        let license: LicenseID
        let newKey: LicenseKey
        /// The id of the license if its devices are to be released; otherwise `nil`.
        let released: LicenseID?
    }

    static let byID = CatalogQueryPlan(for: LicenseID.self) { query in query.row(License.table.key) { [.of($0)] } }
    static let byIDOnce = IdempotentQueryPlan(for: LicenseID.self) { query in query.row(License.table.key) { [.of($0)] }
    }

    static let byIDs = QueryPlan(for: [LicenseID].self) { query in
        query.each(License.table.key) { $0.map(StoredValue.of) }
    }

    /// A license with its newest events, among which is the reason for its stop.
    static let byIDWithEventsOnce = IdempotentQueryPlan(for: LicenseID.self) { query in
        let license = query.row(License.table.key) { [.of($0)] }
        return (
            license: license,
            events: query.rows(
                EventRecord.newestOfLicense, upTo: 100, .column("id", of: license), .column("tenant", of: license))
        )
    }

    /// The columns of a license that may contain the address to which its letters went.
    private static let letterAddresses = ["holder_email_folded", "holder_folded"]

    /// Reads a license with the links and sessions of its page, which end if the holder changes.
    static let changeOnce = changing(lettersTo: [])

    /// Reads the same rows as ``changeOnce`` and the letters to the license's address, which are removed with the
    /// address.
    static let changeAddressOnce = changing(lettersTo: letterAddresses)

    private static func changing(lettersTo addresses: [String]) -> IdempotentQueryPlan<LicenseID, Changed> {
        IdempotentQueryPlan(for: LicenseID.self) { query in
            let license = query.row(License.table.key) { [.of($0)] }
            return Changed(
                license: license, credentials: query.rows(LicenseCredential.ofLicense, upTo: .everything) { [.of($0)] },
                letters: letters(to: addresses, of: license, &query))
        }
    }

    /// Queries the letters to the addresses in columns of a license.
    private static func letters<Parameters>(
        to addresses: [String], of license: RowQuery<License>, _ query: inout QueryBuilder<Parameters>
    ) -> [RowsQuery<Mail>] {
        addresses.map { address in
            query.rows(
                Mail.ofAddress, upTo: .everything, .column("tenant", of: license), .column(address, of: license))
        }
    }

    /// The rows that a change of a license reads.
    struct Changed: Sendable {
        let license: RowQuery<License>
        let credentials: RowsQuery<LicenseCredential>
        let letters: [RowsQuery<Mail>]
    }

    /// Reads a license with the history of its current key and of the new one, and the rows that a new key ends.
    static let rekeyOnce = rekeying(lettersTo: [])

    /// Reads the same rows as ``rekeyOnce`` and the letters to the former holder, which are removed.
    static let transferOnce = rekeying(lettersTo: letterAddresses)

    private static func rekeying(lettersTo addresses: [String]) -> IdempotentQueryPlan<Rekeying, Rekeyed> {
        IdempotentQueryPlan(for: Rekeying.self) { query in
            let license = query.row(License.table.key) { [.of($0.license)] }
            return Rekeyed(
                license: license,
                former: query.row(
                    FormerKey.table.key, .column("tenant", of: license), .column("product", of: license),
                    .column("key_hash", of: license)),
                new: query.row(
                    FormerKey.table.key, .column("tenant", of: license), .column("product", of: license),
                    .request { .of($0.newKey.hash) }),
                inUse: query.rows(FormerKey.inUse, upTo: .everything) { [.of($0.license)] },
                credentials: query.rows(LicenseCredential.ofLicense, upTo: .everything) { [.of($0.license)] },
                activations: query.rows(Activation.ofLicense, upTo: .everything) { [.of($0.released)] },
                letters: letters(to: addresses, of: license, &query))
        }
    }

    /// The rows that the replacement of a license's key reads.
    struct Rekeyed: Sendable {
        let license: RowQuery<License>
        let former: RowQuery<FormerKey>
        let new: RowQuery<FormerKey>
        let inUse: RowsQuery<FormerKey>
        let credentials: RowsQuery<LicenseCredential>
        let activations: RowsQuery<Activation>
        let letters: [RowsQuery<Mail>]
    }
}
