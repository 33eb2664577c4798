import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The command `tenure license list`.
enum LicenseListCommand {
    private static let policy: Argument<PolicyID?> = .optional(
        "policy", "POLICY", "List only licenses of this policy.", as: .slug())
    private static let holder: Argument<String?> = .optional(
        "holder", "TEXT", "List only licenses of this holder.", as: .text)
    private static let apps = Argument.flag("apps", "List app licenses on devices instead of product licenses.")
    private static let account: Argument<AccountID?> = .optional(
        "account", "ACCOUNT", "List only app licenses of this account.",
        as: ArgumentReading { text throws(UsageError) in
            guard let id = AccountID(text) else { throw UsageError("enter an account's id") }
            return id
        })
    private static let item: Argument<AppleItemID?> = .optional(
        "item", "ITEM", "List only licenses of this app.", as: .item)
    private static let state: Argument<License.State?> = .optional(
        "state", "STATE", "List only licenses in this state.", as: .choice())
    private static let after: Argument<LicenseID?> = .optional(
        "after", "ID", "Start after this id, the last one on the previous page.",
        as: ArgumentReading { text throws(UsageError) in
            guard let id = LicenseID(text: text) else {
                throw UsageError("enter a license id such as lic_0123456789abc")
            }
            return id
        })
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of licenses.", as: .int(in: 1...1000), default: 100)

    static let command = Command(
        "list", "Lists licenses by id.",
        discussion: "Lists product licenses, or with --apps, --account or --item app licenses on devices.",
        example: """
            tenure license list --tenant acme --state expired
            tenure license list --apps --account ada
            """,
        arguments: [
            SharedOptions.tenant, SharedOptions.product, policy, holder, apps, account, item, state, after, limit,
            SharedOptions.json,
        ]
            + SharedOptions.installation
    ) { arguments, console in
        let isOfApps = arguments[apps] || arguments[account] != nil || arguments[item] != nil
        if isOfApps, arguments.isTyped(SharedOptions.product) || arguments[policy] != nil || arguments[holder] != nil {
            throw UsageError(
                "app licenses can't be listed by --product, --policy or --holder; use --account and --item")
        }
        let installation = try await Installation.open(arguments, console: console)
        try await installation.catalog().current.catalog.check(
            tenant: arguments[SharedOptions.tenant], product: arguments[SharedOptions.product],
            policy: arguments[policy])
        let now = installation.clock.now()
        guard !isOfApps else {
            let filter = AppLicenseFilter(
                tenant: arguments[SharedOptions.tenant], account: arguments[account], item: arguments[item],
                state: arguments[state], now: now)
            let licenses = try await installation.store.appLicenses(
                filter, after: arguments[after], limit: arguments[limit])
            await installation.store.close()
            answer(licenses, at: now, arguments, console)
            return .done
        }
        let filter = LicenseFilter(
            tenant: arguments[SharedOptions.tenant], product: arguments[SharedOptions.product],
            policy: arguments[policy], holder: arguments[holder], state: arguments[state], now: now)
        let licenses = try await installation.store.licenses(filter, after: arguments[after], limit: arguments[limit])
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("licenses") { list in
                    for license in licenses { list.object { $0.license(license, at: now) } }
                }
            }
        } else {
            var table = TextTable([
                .text("license"), .text("key"), .text("product"), .text("policy"), .text("state"), .text("ends"),
                .text("holder"),
            ])
            for license in licenses {
                table.add([
                    license.id.description, license.key.masked, license.product.description, license.policy.text,
                    license.state(at: now).rawValue, license.term.end?.description ?? "never", license.holder ?? "-",
                ])
            }
            console.answer(table)
            if licenses.count == arguments[limit], let last = licenses.last {
                console.note("there may be more; continue with --after \(last.id)")
            }
        }
        await installation.store.close()
        return .done
    }

    private static func answer(
        _ licenses: [AppLicense], at now: Timestamp, _ arguments: Parsed, _ console: Console
    ) {
        guard !arguments[SharedOptions.json] else {
            console.answer { body in
                body.array("licenses") { list in
                    for license in licenses { list.object { $0.appLicense(license, at: now) } }
                }
            }
            return
        }
        console.answer(AppLicensePage.table(licenses, at: now))
        if licenses.count == arguments[limit], let last = licenses.last {
            console.note("there may be more; continue with --after \(last.id)")
        }
    }
}
