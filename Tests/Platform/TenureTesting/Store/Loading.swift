import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Identifies a license to load.
enum LicenseSelector: Sendable {
    case id(LicenseID)
    case key(Digest, in: ProductRef)
    case activation(ActivationID)
}

/// What was loaded about a license.
struct LoadedLicense: Sendable, Equatable {
    var license: License?
    var activation: Activation?
    /// `nil` if the license doesn't exist.
    var seats: Seats?
    /// The times of the holder's latest releases, latest first.
    var releasesByHolder: [Timestamp]
}

/// The queries for a license and its activations from one device's point of view.
struct LicenseLooks: Sendable {
    let license: RowLook<License>
    private let activation: RowLook<Activation>?
    private let taken: CountLook
    private let known: RowLook<Activation>
    private let releases: RowsLook<Activation>

    static let byID = LoadForm { ask in LicenseLooks(ask.row(License.table.key), nil, &ask) }
    static let byKey = LoadForm { ask in LicenseLooks(ask.row(License.byKey), nil, &ask) }
    static let byActivation = LoadForm { ask in
        let activation = ask.row(Activation.table.key)
        return LicenseLooks(
            ask.row(License.table.key, .column("license_id", of: activation)), activation, &ask)
    }

    private init(_ license: RowLook<License>, _ activation: RowLook<Activation>?, _ ask: inout Asking) {
        self.license = license
        self.activation = activation
        taken = ask.count(Activation.live, upTo: Policy.highestActivationLimit + 1, .column("id", of: license))
        known = ask.row(Activation.liveOfDevice, .column("id", of: license), .request)
        releases = ask.rows(
            Activation.releasedByHolder, upTo: SelfRelease.highestPerYear + 1, .column("id", of: license))
    }

    /// Returns what the queries found.
    func loaded(in seen: Seen) -> LoadedLicense {
        let license = seen[license]
        return LoadedLicense(
            license: license, activation: activation.flatMap { seen[$0] },
            seats: license.map { _ in Seats(taken: seen[taken], known: seen[known]) },
            releasesByHolder: seen[releases].compactMap(\.releasedAt))
    }

    /// Binds the query plan of a selector.
    static func asked(
        _ selector: LicenseSelector, for device: DeviceIdentity = .anonymous
    ) -> (looks: LicenseLooks, asked: Asked) {
        let identity = StoredValue.of(device.code)
        return switch selector {
        case .id(let id): (byID.looks, byID.asked(.of(id), identity))
        case .key(let hash, let product):
            (byKey.looks, byKey.asked(.of(hash), .of(product.tenant), .of(product.product), identity))
        case .activation(let id): (byActivation.looks, byActivation.asked(.of(id), identity))
        }
    }
}

/// Query plans of single rows, each with the lock that its changes take.
enum RowForms {
    static let answer = LoadForm { ask in
        ask.hold(RememberedAnswer.turn)
        return ask.row(RememberedAnswer.table.key)
    }
    static let trial = LoadForm { ask in
        ask.hold(Trial.turn)
        return ask.row(Trial.table.key)
    }
    static let account = LoadForm { ask in
        ask.hold(AppLicense.turnOfAccount)
        return ask.row(Account.table.key)
    }
    static let credential = LoadForm { ask in
        ask.hold(Guard.credential)
        return ask.row(AccountCredential.table.key)
    }
    static let licenseCredential = LoadForm { ask in
        ask.hold(Guard.credential)
        return ask.row(LicenseCredential.table.key)
    }
    static let setting = LoadForm { ask in ask.row(SettingRecord.table.key) }
    static let signingKeys = LoadForm { ask in ask.rows(SigningKeyRecord.ofTenant, upTo: Asking.everything) }
    static let version = LoadForm { ask in ask.row(CatalogVersion.table.key) }
    static let policyCounts = LoadForm { ask in ask.view(PolicyCount.all) }
    static let appCounts = LoadForm { ask in ask.view(AppCount.all) }
}

extension Store {
    /// Runs a query inside a change and outside of changes, and checks that both find the same.
    func load<Found: Equatable & Sendable>(
        _ asked: Asked, _ found: @escaping @Sendable (Seen) -> Found
    ) async throws -> Found {
        let decided = try await perform(Change(asked) { seen in Saving(found(seen)) })
        try expectEqual(found(try await look(asked)), decided)
        return decided
    }

    /// Loads a license.
    func load(_ selector: LicenseSelector, for device: DeviceIdentity = .anonymous) async throws -> LoadedLicense {
        let (looks, asked) = LicenseLooks.asked(selector, for: device)
        return try await load(asked) { seen in looks.loaded(in: seen) }
    }

    /// Loads one row by a plan of ``RowForms`` whose lock and key have the same values.
    func load<Row: Stored & Equatable>(
        _ form: LoadForm<RowLook<Row>>, _ key: [StoredValue], guarded: Bool = true
    ) async throws -> Row? {
        let look = form.looks
        return try await load(form.asked(all: key, lists: guarded ? [key] : [])) { seen in seen[look] }
    }

    /// Loads the catalog in a change.
    func loadCatalog() async throws -> Catalog {
        let reading = FeatureSet.tenure.catalog
        return try await load(reading.asked) { seen in reading.form.looks.catalog(in: seen) }
    }

    /// Reads one license.
    func license(_ id: LicenseID) async throws -> License? { try await load(.id(id)).license }

    /// Removes the rows of a set that match all comparisons.
    func forget<Row: Stored>(_ set: RowSet<Row>, where filter: [Comparison], _ keys: LoadForm<RowsLook<Row>>)
        async throws
    {
        let found = try await list(Listing(set, where: [filter], limit: 1_000))
        let looks = keys.looks
        try await perform(
            Change(keys.asked(lists: [found.flatMap(\.keyValues)])) { seen in
                Saving((), seen[looks].map { Save.remove($0) })
            })
    }
}

/// Query plans that read rows to be deleted, by many keys.
enum ForgettingForms {
    static let answers = LoadForm { ask in ask.each(RememberedAnswer.table.key) }
    static let credentials = LoadForm { ask in ask.each(AccountCredential.table.key) }
    static let licenseCredentials = LoadForm { ask in ask.each(LicenseCredential.table.key) }
}

extension Store {
    /// Deletes stored responses from before a given time.
    func forgetAnswers(before moment: Timestamp) async throws {
        try await forget(
            RememberedAnswer.byAge, where: [Comparison("at", .below(.of(moment)))], ForgettingForms.answers)
    }

    /// Deletes credentials of accounts and of license holders that expired or ended before a given time.
    func forgetCredentials(before moment: Timestamp) async throws {
        let (expired, ended) = (
            [Comparison("expires_at", .below(.of(moment)))], [Comparison("ended_at", .below(.of(moment)))]
        )
        try await forget(AccountCredential.byExpiry, where: expired, ForgettingForms.credentials)
        try await forget(AccountCredential.byEnd, where: ended, ForgettingForms.credentials)
        try await forget(LicenseCredential.byExpiry, where: expired, ForgettingForms.licenseCredentials)
        try await forget(LicenseCredential.byEnd, where: ended, ForgettingForms.licenseCredentials)
    }
}
