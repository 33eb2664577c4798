import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license list`.
enum LicenseListCommand {
    private static let policy: Argument<PolicyID?> = .optional(
        "policy", "POLICY", "List only licenses of this policy.", as: .slug())
    private static let holder: Argument<String?> = .optional(
        "holder", "TEXT", "List only licenses of this holder.", as: .text)
    private static let holderEmail: Argument<String?> = .optional(
        "holder-email", "EMAIL", "List only licenses with this address for letters.", as: .text)
    private static let order: Argument<String?> = .optional(
        "order", "TEXT", "List only licenses with this reference of an order.", as: .text)
    private static let expiresBefore: Argument<Timestamp?> = .optional(
        "expires-before", "DATE",
        "List only licenses whose term has ended at this time; without one, at 00:00 UTC of the day.", as: .start)
    private static let expiresAfter: Argument<Timestamp?> = .optional(
        "expires-after", "DATE",
        "List only licenses whose term hasn't ended at this time; without one, at 00:00 UTC of the day.", as: .start)
    private static let state: Argument<License.State?> = .optional(
        "state", "STATE", "List only licenses in this state.", as: .choice())
    private static let after: Argument<LicenseID?> = .optional(
        "after", "ID", "Start after this id, the last one on the previous page.",
        as: ArgumentReading { text in
            guard let id = LicenseID(text: text) else {
                throw UsageError("enter a license id such as lic_0123456789abc")
            }
            return id
        })
    private static let limit = Argument.option(
        "limit", "N", "The maximum number of licenses.", as: .int(in: 1...1000), default: 100)

    static func command(_ installations: Installations) -> Command {
        let others = installations.features.all.compactMap(\.licenses?.listing)
        return Command(
            "list", "Lists licenses, newest first.",
            discussion: "Lists product licenses" + others.map { ", or with \($0.words)" }.joined() + ".",
            example: ([
                "tenure license list --tenant acme --state expired",
                "tenure license list --expires-after 2027-01-01 --expires-before 2027-02-01",
            ] + others.map(\.example))
            .joined(separator: "\n"),
            arguments: [SharedOptions.tenant, SharedOptions.product, policy, holder, holderEmail, order]
                + others.flatMap(\.arguments)
                + [state, expiresBefore, expiresAfter, after, limit, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: others.reduce(Schema.page("licenses", of: ListedLicense.document.schema)) { $0.or($1.output) }
        ) { arguments, console in
            let other = others.first { $0.isAsked(arguments) }
            if let other,
                arguments.isTyped(SharedOptions.product) || arguments[policy] != nil || arguments[holder] != nil
                    || arguments[holderEmail] != nil || arguments[order] != nil || arguments[expiresBefore] != nil
                    || arguments[expiresAfter] != nil
            {
                throw UsageError(other.productsAlone)
            }
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog().current.catalog
            try catalog.check(
                tenant: arguments[SharedOptions.tenant], product: arguments[SharedOptions.product],
                policy: arguments[policy])
            let now = installation.clock.now()
            let tenants = arguments[SharedOptions.tenant].map { [$0] } ?? catalog.tenants.keys.sorted()
            if let other {
                let page = LicenseProvider.Page(
                    tenants: tenants, state: arguments[state], after: arguments[after], limit: arguments[limit],
                    now: now)
                try await other.answer(page, arguments, installation, console)
                await installation.store.close()
                return .done
            }
            var filter = LicenseFilter(
                tenant: arguments[SharedOptions.tenant], product: arguments[SharedOptions.product],
                policy: arguments[policy], holder: arguments[holder], state: arguments[state], now: now)
            (filter.holderEmail, filter.order) = (arguments[holderEmail], arguments[order])
            (filter.expiresBefore, filter.expiresAfter) = (arguments[expiresBefore], arguments[expiresAfter])
            let page = try await installation.store.newestLicenses(
                filter, of: tenants, after: arguments[after], limit: arguments[limit])
            console.answer(
                page.map { ListedLicense($0, in: catalog, at: now) }, "licenses", ListedLicense.document,
                ListedLicense.columns, asJSON: arguments[SharedOptions.json], limit: arguments[limit])
            if page.rows.isEmpty, page.next == nil {
                console.note(try await whyEmpty(arguments, in: installation.store))
            }
            await installation.store.close()
            return .done
        }
    }

    /// Why a list is empty, and what to try.
    private static func whyEmpty(_ arguments: Parsed, in store: any Store) async throws -> String {
        guard try await !store.list(Listing(License.table.all, limit: 1)).isEmpty else {
            return "this store has no licenses yet; `tenure license issue` issues one, and `tenure apply` imports them"
        }
        if arguments[after] != nil { return "no license comes after that id" }
        if arguments[holder] != nil {
            return
                "no license matches; --holder compares the whole text in any spelling, and `tenure license show` finds a license by "
                + "the beginning of its holder"
        }
        return "no license matches these options; without them there are some"
    }
}
