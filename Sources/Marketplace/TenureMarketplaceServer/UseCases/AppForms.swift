import TenureCore
package import TenureMarketplace
import TenureServerKit
package import TenureStore

// The queries for decisions about app licenses. An owner's lock covers its licenses and grants, including those without
// a row yet.

/// The licenses that a device names, with the grants that they depend on.
struct NamedAppLicenses: Sendable {
    let licenses: RowsLook<AppLicense>
    let grants: RowsLook<AppGrant>
    let holders: ViewLook<AppHolder>

    init(_ ask: inout Asking) {
        ask.hold(AppLicense.turnOfOwner)
        licenses = ask.each(AppLicense.table.key)
        grants = ask.each(
            AppGrant.table.key, .column("tenant", of: licenses), .column("account", of: licenses),
            .column("item", of: licenses))
        holders = ask.view(AppHolder.ofLicenses)
    }

    static let form = CatalogForm(NamedAppLicenses.init)

    /// Binds the queries to licenses and a tenant.
    ///
    /// Licenses of other tenants are found too, and the caller must leave them out.
    static func asked(
        _ ids: [LicenseID], of tenant: TenantID, at now: Timestamp
    ) -> CatalogAsked<NamedAppLicenses> {
        let keys = ids.map(StoredValue.of)
        return form.asked(lists: [keys, keys, keys.flatMap { [$0, .of(tenant), .of(now)] }])
    }
}

/// A device's earlier licenses for the requested apps, with its account's grants for them.
struct WishedApps: Sendable {
    let earlier: RowsLook<AppLicense>
    /// The grants and their devices; `nil` at an open marketplace, which has no grants.
    let rights: (grants: RowsLook<AppGrant>, holders: ViewLook<AppHolder>)?
    /// At an open marketplace, any license that the device has.
    let known: RowsLook<AppLicense>?

    static let ofAccount = CatalogForm { ask in
        ask.hold(AppLicense.turnOfAccount)
        let earlier = ask.each(AppLicense.earlierOfAccount, upTo: Asking.everything)
        return WishedApps(
            earlier: earlier, rights: (ask.each(AppGrant.table.key), ask.view(AppHolder.ofRights)), known: nil)
    }

    static let ofDevice = CatalogForm { ask in
        ask.hold(AppLicense.turnOfDevice)
        return WishedApps(
            earlier: ask.each(AppLicense.earlierOfDevice, upTo: Asking.everything), rights: nil,
            known: ask.each(AppLicense.ofDevice, upTo: 1))
    }

    /// Binds the queries to a requester, with or without an account.
    static func asked(
        _ items: [AppleItemID], by requester: AppRequester, at now: Timestamp
    ) -> CatalogAsked<WishedApps> {
        let (tenant, device) = (StoredValue.of(requester.tenant), StoredValue.of(requester.device))
        guard let account = requester.account.map(StoredValue.of) else {
            return ofDevice.asked(lists: [[device, tenant], items.flatMap { [device, tenant, .of($0)] }, [device]])
        }
        return ofAccount.asked(lists: [
            [tenant, account], items.flatMap { [device, tenant, .of($0), account] },
            items.flatMap { [tenant, account, .of($0)] }, items.flatMap { [tenant, account, .of($0), .of(now)] },
        ])
    }
}

/// The grants of a tenant's accounts, by account and app.
struct AppRights: Sendable {
    private let grants: [AppRightRef: AppGrant]
    private let devices: [AppRightRef: [AppHolder]]

    /// Groups the rows, leaving out other tenants'.
    init(_ grants: [AppGrant], _ holders: [AppHolder], at tenant: TenantID) {
        let own = grants.filter { $0.account.tenant == tenant }
        self.grants = Dictionary(
            own.map { (AppRightRef(account: $0.account.account, item: $0.item), $0) }, uniquingKeysWith: { $1 })
        devices = Dictionary(grouping: holders.filter { $0.account.tenant == tenant }, by: \.right)
    }

    /// An account's grant for an app; `nil` without an account.
    subscript(account: AccountID?, item: AppleItemID) -> AppRight? {
        guard let account else { return nil }
        let right = AppRightRef(account: account, item: item)
        return AppRight(grant: grants[right], devices: devices[right] ?? [])
    }
}

extension AppRight {
    /// Creates a value from a grant and the devices found for it.
    package init(grant: AppGrant?, devices: [AppHolder]) {
        self.init(
            grant: grant, holders: Set(devices.filter { $0.until == nil }.map(\.device)),
            lately: Dictionary(
                devices.compactMap { device in device.until.map { (device.device, $0) } }, uniquingKeysWith: max))
    }
}

/// An app license and the session of the person who acts on it.
struct OwnAppLicense: Sendable {
    let session: RowLook<AccountCredential>
    let license: RowLook<AppLicense>

    init(_ ask: inout Asking) {
        ask.hold(AppLicense.turnOfOwner)
        session = ask.accountCredential()
        license = ask.row(AppLicense.table.key)
    }

    static let form = LoadForm(OwnAppLicense.init)

    static func asked(_ license: LicenseID, by token: SessionToken) -> Asked {
        let (license, hash) = (StoredValue.of(license), StoredValue.of(token.hash))
        return form.asked(hash, license, lists: [[license], [hash]])
    }
}

extension Asking {
    /// Reads an account's credential by its hash, which must be passed twice: for the lock and for the row.
    ///
    /// The lock makes one of two simultaneous uses wait.
    package mutating func accountCredential() -> RowLook<AccountCredential> {
        hold(Guard.credential)
        return row(AccountCredential.table.key)
    }
}

extension [Save] {
    /// The rows to write for a decision about app licenses, given the rows that it read.
    package init(_ consequences: AppConsequences, over licenses: [AppLicense] = [], _ grant: AppGrant? = nil) {
        self = consequences.licenses.map { after in .put(after, over: licenses.first { $0.id == after.id }) }
        if let after = consequences.grant { append(.put(after, over: grant)) }
        append(contentsOf: consequences.events.map(Save.event))
    }
}
