import TenureCommandLine
import TenureCore
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The command `tenure events`.
enum EventsCommand {
    private static let follow = Argument.flag(
        "follow", "Keep printing new events until Ctrl-C; without --after, print only new ones.")
    private static let kind: Argument<EventKindPattern?> = .optional(
        "kind", "KIND", "Only events of this kind, such as license.renewed, or of a family, such as 'license.*'.",
        as: ArgumentReading { text in
            guard let pattern = EventKindPattern(text), FeatureSet.tenure.registry.knows(pattern) else {
                throw UsageError("enter a kind from Documentation/events.md, or a family such as 'license.*'")
            }
            return pattern
        })
    private static let account: Argument<AccountID?> = .optional(
        "account", "ACCOUNT", "Only events of this account.",
        as: ArgumentReading { text in
            guard let id = AccountID(text) else { throw UsageError("enter an account's id") }
            return id
        })
    private static let license: Argument<LicenseID?> = .optional(
        "license", "ID", "Only events of this license, of a product or an app.",
        as: ArgumentReading { text in
            guard let id = LicenseID(text: text) ?? LicenseID(decimal: text) else {
                throw UsageError("enter a license id such as lic_0123456789abc")
            }
            return id
        })
    private static let after: Argument<Int?> = .optional(
        "after", "NUMBER", "Only events after this number, such as the last one that you have seen.",
        as: .int(in: 0 ... .max))
    private static let json = Argument.flag("json", "Print JSON, one event per line.")

    /// How many events are read at once, and how long `--follow` waits if there are no new ones.
    private static let (page, pause) = (500, Duration.seconds(1))

    static func command(_ installations: Installations) -> Command {
        Command(
            "events", "Prints events, oldest first, as `GET /v1/TENANT/events` does.",
            discussion: """
                Each line is an event: its number, time, kind, actor, subject and details. Documentation/events.md \
                lists the kinds.
                """,
            example: """
                tenure events --account ada --kind app_license.refused
                tenure events --follow --kind 'license.*' --json
                """,
            arguments: [follow, kind, account, license, SharedOptions.tenant, after, json] + SharedOptions.installation
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let store = installation.store
            let filter = try await filter(arguments, in: try await installation.catalog(), store)
            var cursor = Int64(arguments[after] ?? 0)
            if arguments[follow] {
                if arguments[after] == nil { cursor = try await store.newestEvent() }
                console.note("waiting for events after \(cursor); press Ctrl-C to stop")
            }
            while true {
                let events = try await store.eventPage(filter, after: cursor, limit: page)
                for record in events.records.map(installation.master.names.shown) {
                    if arguments[json] {
                        console.answer { $0.event(record) }
                    } else {
                        console.answer(lines: [record.line])
                    }
                }
                guard events.next == cursor else {
                    cursor = events.next
                    continue
                }
                guard arguments[follow] else { break }
                try await Task.sleep(for: pause)
            }
            await store.close()
            return .done
        }
    }

    /// Builds the filter; throws ``CommandError`` if the tenant or account doesn't exist.
    private static func filter(
        _ arguments: Parsed, in catalog: CatalogCache, _ store: any Store
    ) async throws -> EventFilter {
        try catalog.current.catalog.check(tenant: arguments[SharedOptions.tenant])
        var filter = EventFilter(
            tenant: arguments[SharedOptions.tenant], license: arguments[license], kind: arguments[kind])
        guard let account = arguments[account] else { return filter }
        let ref = AccountRef(tenant: try AccountReference.tenant(arguments, in: catalog), account: account)
        guard try await store.account(ref) != nil else { throw AccountReference.unknown(ref) }
        (filter.tenant, filter.account) = (ref.tenant, ref.account)
        return filter
    }
}

extension EventRecord {
    /// The event as a line of text.
    fileprivate var line: String {
        let subject = event.subject
        let concerns: [(String, String?)] = [
            ("product", subject.product?.text), ("app", subject.app?.description),
            ("account", subject.account?.text), ("license", subject.license?.description),
            ("activation", subject.activation?.description), ("enrolment", subject.enrolment?.description),
            ("contentLicense", subject.contentLicense?.description),
        ]
        let named = concerns.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let facts = event.facts.map { "\($0.name)=\($0.value.text)" }
        let words = [
            "\(sequence)", event.at.description, event.kind.text, event.actor.description, subject.tenant.text,
        ]
        return (words + named + facts).joined(separator: "  ")
    }
}
