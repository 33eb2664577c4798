package import TenureCore
package import TenureMarketplace
import TenureServerKit
package import TenureStore

// The queries for decisions about app licenses. The lock on an owner covers its licenses and grants, including those
// without a row yet.

/// The licenses that a device names in a renewal request, with the grants that they depend on.
struct NamedAppLicenses: Sendable {
    let licenses: RowsQuery<AppLicense>
    let accounts: RowsQuery<Account>
    let grants: RowsQuery<AppGrant>
    let devices: NamedRowsQuery<AppDevice>

    struct Parameters: Sendable {
        let licenses: [LicenseID]
        let tenant: TenantID
        let now: Timestamp
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(AppLicense.turnOfOwner) { $0.licenses.map(StoredValue.of) }
        licenses = query.each(AppLicense.table.key) { $0.licenses.map(StoredValue.of) }
        accounts = query.each(
            Account.table.key, .column("tenant", of: licenses), .column("account", of: licenses))
        grants = query.each(
            AppGrant.table.key, .column("tenant", of: licenses), .column("account", of: licenses),
            .column("item", of: licenses))
        devices = query.view(AppDevice.ofLicenses) { bound in
            bound.licenses.flatMap { [.of($0), .of(bound.tenant), .of(bound.now)] }
        }
    }

    static let plan = CatalogQueryPlan(NamedAppLicenses.init)

    /// Binds the queries to licenses and a tenant.
    ///
    /// The queries also return licenses of other tenants, which the caller must leave out.
    static func bind(
        _ ids: [LicenseID], of tenant: TenantID, at now: Timestamp
    ) -> BoundCatalogQuery<NamedAppLicenses> {
        plan.bind(.init(licenses: ids, tenant: tenant, now: now))
    }
}

/// The queries for the requested apps: the device's earlier licenses and, with an account, the account and its grants.
struct RequestedApps: Sendable {
    /// The account; `nil` at an open marketplace.
    let account: RowQuery<Account>?
    let earlier: RowsQuery<AppLicense>
    /// The grants and their devices; `nil` at an open marketplace, which has no grants.
    let rights: (grants: RowsQuery<AppGrant>, devices: NamedRowsQuery<AppDevice>)?
    /// One license of the device at an open marketplace, which shows that the device isn't new; `nil` for an account.
    let licenses: RowsQuery<AppLicense>?

    /// The parameters for a request of an account on a device.
    struct OfAccount: Sendable {
        let account: AccountRef
        let device: Digest
        let items: [AppleItemID]
        let now: Timestamp
    }

    static let ofAccount = CatalogQueryPlan(for: OfAccount.self) { query in
        query.hold(AppLicense.turnOfAccount) { [.of($0.account.tenant), .of($0.account.account)] }
        let account = query.row(Account.table.key) { [.of($0.account.tenant), .of($0.account.account)] }
        let earlier = query.each(AppLicense.earlierOfAccount, upTo: .everything) { bound in
            let account = bound.account
            return bound.items.flatMap {
                [.of(bound.device), .of(account.tenant), .of($0), .of(account.account)]
            }
        }
        let grants = query.each(AppGrant.table.key) { bound in
            bound.items.flatMap { [.of(bound.account.tenant), .of(bound.account.account), .of($0)] }
        }
        let devices = query.view(AppDevice.ofRights) { bound in
            let account = bound.account
            return bound.items.flatMap {
                [.of(account.tenant), .of(account.account), .of($0), .of(bound.now)]
            }
        }
        return RequestedApps(account: account, earlier: earlier, rights: (grants, devices), licenses: nil)
    }

    /// The parameters for a request of a device without an account.
    struct OfDevice: Sendable {
        let tenant: TenantID
        let device: Digest
        let items: [AppleItemID]
    }

    static let ofDevice = CatalogQueryPlan(for: OfDevice.self) { query in
        query.hold(AppLicense.turnOfDevice) { [.of($0.device), .of($0.tenant)] }
        let earlier = query.each(AppLicense.earlierOfDevice, upTo: .everything) { bound in
            bound.items.flatMap { [.of(bound.device), .of(bound.tenant), .of($0)] }
        }
        let licenses = query.each(AppLicense.ofDevice, upTo: 1) { [.of($0.device)] }
        return RequestedApps(account: nil, earlier: earlier, rights: nil, licenses: licenses)
    }

    /// Binds the queries to a requester, with or without an account.
    static func bind(
        _ items: [AppleItemID], by requester: AppLicense.Requester, at now: Timestamp
    ) -> BoundCatalogQuery<RequestedApps> {
        guard let account = requester.account else {
            return ofDevice.bind(.init(tenant: requester.tenant, device: requester.device, items: items))
        }
        return ofAccount.bind(
            .init(
                account: AccountRef(tenant: requester.tenant, account: account), device: requester.device,
                items: items, now: now))
    }
}

/// The grants of a tenant's accounts and the devices that count towards the grants' limits, by account and app.
struct AppRights: Sendable {
    private let grants: [AppRightRef: AppGrant]
    private let devices: [AppRightRef: [AppDevice]]

    /// Groups the rows by account and app, leaving out those of other tenants.
    init(_ grants: [AppGrant], _ devices: [AppDevice], at tenant: TenantID) {
        let own = grants.filter { $0.account.tenant == tenant }
        self.grants = Dictionary(
            own.map { (AppRightRef(account: $0.account.account, item: $0.item), $0) }, uniquingKeysWith: { $1 })
        self.devices = Dictionary(grouping: devices.filter { $0.account.tenant == tenant }, by: \.right)
    }

    /// An account's grant for an app; `nil` without an account.
    subscript(account: AccountID?, item: AppleItemID) -> AppGrant.Right? {
        guard let account else { return nil }
        let right = AppRightRef(account: account, item: item)
        return AppGrant.Right(grant: grants[right], devices: devices[right] ?? [])
    }
}

extension AppGrant.Right {
    /// Combines a grant with the devices found for it.
    package init(grant: AppGrant?, devices: [AppDevice]) {
        self.init(
            grant: grant, active: Set(devices.filter { $0.until == nil }.map(\.device)),
            recent: Dictionary(
                devices.compactMap { device in device.until.map { (device.device, $0) } }, uniquingKeysWith: max))
    }
}

/// An app license, with all licenses of the same app, device and account.
struct LicensesOfDevice: Sendable {
    let license: RowQuery<AppLicense>
    private let ofAccount: RowsQuery<AppLicense>
    /// Used at an open marketplace, whose licenses have no account.
    private let ofDevice: RowsQuery<AppLicense>

    init<Parameters>(_ query: inout QueryBuilder<Parameters>, _ id: @escaping @Sendable (Parameters) -> LicenseID) {
        let license = query.row(AppLicense.table.key) { [.of(id($0))] }
        ofAccount = query.rows(
            AppLicense.earlierOfAccount, upTo: .everything, .column("device", of: license),
            .column("tenant", of: license), .column("item", of: license), .column("account", of: license))
        ofDevice = query.rows(
            AppLicense.earlierOfDevice, upTo: .everything, .column("device", of: license),
            .column("tenant", of: license), .column("item", of: license))
        self.license = license
    }

    /// All licenses of the app on the device for the same account, this one included.
    func licenses(in results: QueryResult) -> [AppLicense] {
        guard let license = results[license] else { return [] }
        return license.account == nil ? results[ofDevice] : results[ofAccount]
    }
}

extension QueryBuilder {
    /// Reads a license, with all licenses of the same app, device and account.
    mutating func licensesOfDevice(_ id: @escaping @Sendable (Parameters) -> LicenseID) -> LicensesOfDevice {
        LicensesOfDevice(&self, id)
    }
}

/// An app license with the device's other licenses of the app, and the session of the person who releases or renews it.
struct OwnAppLicense: Sendable {
    let session: RowQuery<AccountCredential>
    let licenses: LicensesOfDevice

    struct Parameters: Sendable {
        let license: LicenseID
        let session: Digest
    }

    init(_ query: inout QueryBuilder<Parameters>) {
        query.hold(AppLicense.turnOfOwner) { [.of($0.license)] }
        session = query.accountCredential { $0.session }
        licenses = query.licensesOfDevice { $0.license }
    }

    static let plan = QueryPlan(OwnAppLicense.init)

    static func bind(_ license: LicenseID, by token: SessionToken) -> BoundQuery {
        plan.bind(.init(license: license, session: token.hash))
    }
}

extension QueryBuilder {
    /// Reads an account's credential by its hash, under a lock. If a credential is used twice at the same time, the
    /// second use waits for the first.
    package mutating func accountCredential(
        _ hash: @escaping @Sendable (Parameters) -> Digest
    ) -> RowQuery<AccountCredential> {
        hold(QueryLock.credential) { [.of(hash($0))] }
        return row(AccountCredential.table.key) { [.of(hash($0))] }
    }

    /// Reads a credential's account, so that a use of the credential and a deletion of the account run one after the
    /// other.
    mutating func accountOf(_ credential: RowQuery<AccountCredential>) -> RowQuery<Account> {
        row(Account.table.key, .column("tenant", of: credential), .column("account", of: credential))
    }

    /// Reads a sign-in's account, so that a use of the sign-in and a deletion of the account run one after the other.
    mutating func accountOf(_ signIn: RowQuery<SignIn>) -> RowQuery<Account> {
        row(Account.table.key, .column("tenant", of: signIn), .column("account", of: signIn))
    }
}

extension [RowWrite] {
    /// The rows to write for a decision about app licenses, given the rows that it read.
    package init(_ consequences: AppLicense.Consequences, over licenses: [AppLicense] = [], _ grant: AppGrant? = nil) {
        self = []
        add(consequences, over: licenses, grant)
    }

    /// Adds the rows to write for one more decision about app licenses, given the rows that it read.
    mutating func add(
        _ consequences: AppLicense.Consequences, over licenses: some Sequence<AppLicense>, _ grant: AppGrant? = nil
    ) {
        for after in consequences.licenses { append(.put(after, over: licenses.first { $0.id == after.id })) }
        if let after = consequences.grant { append(.put(after, over: grant)) }
        for event in consequences.events { append(.event(event)) }
    }
}
