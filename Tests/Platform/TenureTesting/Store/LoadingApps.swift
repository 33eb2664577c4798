import TenureCore
import TenureLicensing
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// Identifies the app licenses and rights to load, all of one tenant.
struct AppKeys: Sendable {
    var tenant: TenantID
    var licenses: [LicenseID] = []
    /// The device whose earlier licenses of ``items`` are loaded: those of ``account``, or those without one.
    var device: Digest?
    /// The account whose rights to ``items`` are loaded.
    var account: AccountID?
    var items: [AppleItemID] = []
    /// The time at which devices are counted.
    var now: Timestamp
}

/// App licenses and rights, as loaded from the store.
struct LoadedApps: Sendable, Equatable {
    var licenses: [LicenseID: AppLicense] = [:]
    /// The device's licenses of the requested apps for the account, or without an account, oldest first.
    var earlier: [AppleItemID: [AppLicense]] = [:]
    var rights: [AppRightRef: AppGrant.Right] = [:]
}

/// The queries for app licenses and rights, under the locks of their owners.
struct AppLicenseLookups: Sendable {
    private let licenses: RowsQuery<AppLicense>
    private let grantsOfLicenses: RowsQuery<AppGrant>
    private let holdersOfLicenses: NamedRowsQuery<AppDevice>
    private let earlierOfAccount: RowsQuery<AppLicense>
    private let earlierOfDevice: RowsQuery<AppLicense>
    private let grants: RowsQuery<AppGrant>
    private let holders: NamedRowsQuery<AppDevice>

    static let plan = QueryPlan(AppLicenseLookups.init)

    private init(_ query: inout QueryBuilder<AppKeys>) {
        query.hold(AppLicense.turnOfAccount) { keys in keys.account.map { [.of(keys.tenant), .of($0)] } ?? [] }
        query.hold(AppLicense.turnOfDevice) { keys in
            guard keys.account == nil, let device = keys.device else { return [] }
            return [.of(device), .of(keys.tenant)]
        }
        query.hold(AppLicense.turnOfOwner) { $0.licenses.map(StoredValue.of) }
        licenses = query.each(AppLicense.table.key) { $0.licenses.map(StoredValue.of) }
        grantsOfLicenses = query.each(
            AppGrant.table.key, .column("tenant", of: licenses), .column("account", of: licenses),
            .column("item", of: licenses))
        holdersOfLicenses = query.view(AppDevice.ofLicenses) { keys in
            keys.licenses.flatMap { [.of($0), .of(keys.tenant), .of(keys.now)] }
        }
        earlierOfAccount = query.each(AppLicense.earlierOfAccount, upTo: .everything) { keys in
            guard let account = keys.account, let device = keys.device else { return [] }
            return keys.items.flatMap { [.of(device), .of(keys.tenant), .of($0), .of(account)] }
        }
        earlierOfDevice = query.each(AppLicense.earlierOfDevice, upTo: .everything) { keys in
            guard keys.account == nil, let device = keys.device else { return [] }
            return keys.items.flatMap { [.of(device), .of(keys.tenant), .of($0)] }
        }
        grants = query.each(AppGrant.table.key) { keys in
            guard let account = keys.account else { return [] }
            return keys.items.flatMap { [.of(keys.tenant), .of(account), .of($0)] }
        }
        holders = query.view(AppDevice.ofRights) { keys in
            guard let account = keys.account else { return [] }
            return keys.items.flatMap { [.of(keys.tenant), .of(account), .of($0), .of(keys.now)] }
        }
    }

    static func bind(_ keys: AppKeys) -> BoundQuery { plan.bind(keys) }

    /// Assembles the rows that the queries found for the tenant.
    func loaded(_ keys: AppKeys, in results: QueryResult) -> LoadedApps {
        var loaded = LoadedApps()
        var rights: Set<AppRightRef> = []
        for license in results[licenses] where license.tenant == keys.tenant {
            loaded.licenses[license.id] = license
            if let account = license.account { rights.insert(AppRightRef(account: account, item: license.item)) }
        }
        for license in results[earlierOfAccount] + results[earlierOfDevice] {
            loaded.earlier[license.item, default: []].append(license)
        }
        if let account = keys.account { rights.formUnion(keys.items.map { AppRightRef(account: account, item: $0) }) }
        let (allGrants, allHolders) = (
            results[grants] + results[grantsOfLicenses], results[holders] + results[holdersOfLicenses]
        )
        for right in rights {
            let account = AccountRef(tenant: keys.tenant, account: right.account)
            loaded.rights[right] = AppGrant.Right(
                grant: allGrants.first { $0.account == account && $0.item == right.item },
                devices: allHolders.filter { $0.account == account && $0.item == right.item })
        }
        return loaded
    }
}

extension Store {
    func load(_ keys: AppKeys) async throws -> LoadedApps {
        let queries = AppLicenseLookups.plan.queries
        return try await load(AppLicenseLookups.bind(keys)) { results in queries.loaded(keys, in: results) }
    }
}

extension [RowWrite] {
    /// The writes of a decision about app licenses, given the rows that were loaded for it.
    init(_ consequences: AppLicense.Consequences, over loaded: LoadedApps) {
        let stored = loaded.licenses.merging(
            loaded.earlier.values.flatMap(\.self).map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        self = consequences.licenses.map { license in .put(license, over: stored[license.id]) }
        if let grant = consequences.grant {
            let before = loaded.rights[AppRightRef(account: grant.account.account, item: grant.item)]?.grant
            append(.put(grant, over: before))
        }
        for event in consequences.events { append(.append(EventRecord(sequence: 0, event: event))) }
    }

    /// The writes of a decision about a license, given the rows that were loaded for it.
    init(_ consequences: Consequences, over loaded: LoadedLicense) {
        self = []
        if let license = consequences.license { append(.put(license, over: loaded.license)) }
        if let activation = consequences.activation {
            let existing = loaded.activations?.existing
            append(.put(activation, over: existing?.id == activation.id ? existing : loaded.activation))
        }
        for event in consequences.events { append(.append(EventRecord(sequence: 0, event: event))) }
    }
}
