import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The part of `tenure license` that finds and lists app licenses.
enum AppLicenseListing {
    private static let apps = Argument.flag("apps", "List app licenses on devices instead of product licenses.")
    private static let account: Argument<AccountID?> = .optional(
        "account", "ACCOUNT", "List only app licenses of this account.",
        as: ArgumentReading { text in
            guard let id = AccountID(text) else { throw UsageError("enter an account's id") }
            return id
        })
    private static let item: Argument<AppleItemID?> = .optional(
        "item", "ITEM", "List only licenses of this app.", as: .item)
    private static let replaced = Argument.flag(
        "replaced", "With --apps, also list licenses that a newer one of the same device has replaced.")

    static let provider = LicenseProvider(
        find: { text, tenant, context in
            try await context.findAppLicense(text, tenant: tenant).map(KeptAppLicense.init(license:))
        },
        listing: .init(
            words: "--apps, --account or --item app licenses on devices",
            example: "tenure license list --apps --account ada", arguments: [apps, account, item, replaced],
            isAsked: { $0[apps] || $0[account] != nil || $0[item] != nil || $0[replaced] },
            productsAlone:
                "app licenses can't be listed by --product, --policy or --holder; use --account and --item",
            output: Schema.page("licenses", of: AppLicense.document.schema), answer: answer),
        outputs: LicenseProvider.Outputs(
            shown: AppLicense.document.output(adding: [("events", .list(of: EventRecord.document.schema))]),
            explained: AppLicense.Explanation.document.output(adding: [("license", .text())]),
            changed: AppLicense.document.output()))

    @Sendable private static func answer(
        _ page: LicenseProvider.Page, _ arguments: Parsed, _ installation: Installation, _ console: Console
    ) async throws {
        let filter = AppLicenseFilter(
            account: arguments[account], item: arguments[item], state: page.state,
            includesReplaced: arguments[replaced], now: page.now)
        let licenses = try await installation.store.newestAppLicenses(
            filter, of: page.tenants, after: page.after, limit: page.limit)
        console.answer(
            licenses.map { AsOf($0, at: page.now) }, "licenses", AppLicense.document, AppLicense.columns,
            asJSON: arguments[SharedOptions.json], limit: page.limit)
    }
}
