package import TenureCore

/// Whom an app license belongs to: its account, or its device at an open marketplace.
///
/// All that a decision about app licenses looks at belongs to an owner that it names or that its licenses name, so
/// engines keep changes of one owner apart from each other.
package enum AppLicenseOwner: Sendable, Hashable {
    case account(AccountRef)
    case device(Digest, TenantID)

    /// The owner of the licenses that a device gets for this account, or for none.
    package init(tenant: TenantID, account: AccountID?, device: Digest) {
        self = account.map { .account(AccountRef(tenant: tenant, account: $0)) } ?? .device(device, tenant)
    }
}

extension AppLicense {
    package var owner: AppLicenseOwner { AppLicenseOwner(tenant: tenant, account: account, device: device) }
}

extension AppKeys {
    /// The owners that are named; those of ``licenses`` come to light when they are loaded.
    package var owners: Set<AppLicenseOwner> {
        if let account { return [.account(AccountRef(tenant: tenant, account: account))] }
        return device.map { [.device($0, tenant)] } ?? []
    }
}
