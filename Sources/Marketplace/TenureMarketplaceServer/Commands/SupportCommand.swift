import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

enum SupportCommand {
    private static let reference = Argument.positional(
        "REFERENCE", "The reference at the bottom of the page, such as 7QK2-M0ZD.",
        as: ArgumentReading { text in
            guard let reference = SupportReference(text: text) else {
                throw UsageError("enter the eight characters, with or without the hyphen")
            }
            return reference
        })
    private static let account: Argument<AccountID?> = .optional(
        "account", "ACCOUNT", "The person's account, if known, which makes the search faster.",
        as: ArgumentReading { text in
            guard let id = AccountID(text) else {
                throw UsageError("enter 1 to 128 bytes without control characters")
            }
            return id
        })

    static func command(_ installations: Installations) -> Command {
        Command(
            "support", "Shows what a person did on a resolution, license or learner's page.",
            discussion:
                "Each session on these pages has a reference, which the person can read to you. Exits with 1 if no event has the reference.",
            example: "tenure support 7QK2-M0ZD",
            arguments: [reference, account, AccountReference.tenant, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.output([
                ("account", .textOrNull), ("holder", .textOrNull), ("events", .list(of: EventRecord.document.schema)),
            ])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try Self.tenant(arguments, in: catalog)
            let found = try await installation.context.events(
                with: arguments[reference], at: tenant, of: arguments[account])
            var holder: String?
            for feature in installation.features.all where holder == nil {
                holder = try await feature.holderOfSession(arguments[reference], tenant, installation.context.store)
            }
            await installation.store.close()
            guard let first = found.first else {
                throw CommandError(
                    "No event of \(tenant) has the reference \(arguments[reference]). Check the reference and the tenant."
                )
            }
            if arguments[SharedOptions.json] {
                let shown = found.map(try catalog.secrets.names.shown)
                console.answer { body in
                    body.member("account", first.event.subject.account?.text)
                    body.member("holder", holder)
                    body.array("events") { list in for record in shown { list.object { $0.event(record) } } }
                }
                return .done
            }
            if let account = first.event.subject.account {
                console.answer("account  \(tenant)/\(account)")
            } else if let holder = holder ?? first.event.holderRef {
                console.answer("holder   \(holder)")
            } else {
                console.answer("license  \(first.event.subject.license?.description ?? "-")")
            }
            console.answer("")
            console.answer(table(of: found.map(\.event)))
            return .done
        }
    }

    /// The table of events. It has a column for apps, or for licenses, only if an event is about an app or a license.
    private static func table(of events: [Event]) -> TextTable {
        let apps = events.map { $0.subject.app?.description }
        let licenses = events.map { $0.subject.license?.description ?? $0.subject.contentLicense?.description }
        let more = [("app", apps), ("license", licenses)].filter { $0.1.contains { $0 != nil } }
        var table = TextTable([.text("at"), .text("event")] + more.map { .text($0.0) })
        for (index, event) in events.enumerated() {
            table.add([event.at.local, event.kind.text] + more.map { $0.1[index] ?? "-" })
        }
        return table
    }

    /// Returns the named tenant, the only tenant, or the only tenant with a marketplace.
    private static func tenant(_ arguments: Parsed, in catalog: CatalogCache) throws(CommandError) -> TenantID {
        let tenants = catalog.current.catalog.tenants
        if let named = arguments[AccountReference.tenant], tenants[named] != nil { return named }
        if arguments[AccountReference.tenant] == nil, tenants.count == 1, let only = tenants.keys.first { return only }
        return try AccountReference.tenant(arguments, in: catalog)
    }
}
