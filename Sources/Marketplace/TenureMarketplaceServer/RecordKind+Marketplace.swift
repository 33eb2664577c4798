import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RecordKind {
    /// The accounts of marketplaces.
    ///
    /// Their ids are texts without a number, so a deep check doesn't compare them.
    static let accounts = RecordKind(
        field: "account", name: "account", column: "account", table: nil, number: { _ in nil },
        named: { $0.account?.text }, option: .account
    ) { filter, tenant, store throws(ServerError) in
        guard let account = filter.account else { return false }
        return try await store.account(AccountRef(tenant: tenant, account: account)) != nil
    }

    static let appLicenses = RecordKind(
        field: "license", name: "license", column: "license_id", table: AppLicense.table.shape,
        number: { $0.license?.number }, named: { $0.license?.description }
    ) { filter, tenant, store throws(ServerError) in
        guard let license = filter.license else { return false }
        return try await store.appLicense(license)?.tenant == tenant
    }
}

extension EventOption {
    /// The option `--account`; if several tenants have a marketplace, it requires `--tenant`.
    fileprivate static let account: EventOption = {
        let argument: Argument<AccountID?> = .optional(
            "account", "ACCOUNT", "Only events of this account.",
            as: ArgumentReading { text in
                guard let id = AccountID(text) else { throw UsageError("enter an account's id") }
                return id
            })
        return EventOption(
            argument, example: "tenure events --account ada --kind app_license.refused"
        ) { filter, arguments, catalog, store in
            guard let account = arguments[argument] else { return true }
            let ref = AccountRef(tenant: try AccountReference.tenant(arguments, in: catalog), account: account)
            guard try await store.account(ref) != nil else { throw AccountReference.unknown(ref) }
            filter.account = account
            return filter.tenant == ref.tenant
        }
    }()
}
