import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RecordKind {
    /// The accounts of a marketplace; their ids are texts, so a deep check doesn't compare them.
    static let accounts = RecordKind(
        field: "account", name: "account", column: "account", table: nil, number: { _ in nil },
        named: { $0.account?.text }
    ) { filter, tenant, store in
        guard let account = filter.account else { return false }
        return try await store.account(AccountRef(tenant: tenant, account: account)) != nil
    }

    /// The licenses of apps.
    static let appLicenses = RecordKind(
        field: "license", name: "license", column: "license_id", table: AppLicense.table.shape,
        number: { $0.license?.number }, named: { $0.license?.description }
    ) { filter, tenant, store in
        guard let license = filter.license else { return false }
        return try await store.appLicense(license)?.tenant == tenant
    }
}
