package import TenureCommandLine
import TenureCore
import TenureFormats
package import TenureStore

/// The command `tenure events`.
enum EventsCommand {
    private static let follow = Argument.flag(
        "follow", "Keep printing new events until Ctrl-C; without --after, print only new ones.")
    private static let after: Argument<Int?> = .optional(
        "after", "NUMBER", "Only events after this number, such as the last one that you have seen.",
        as: .int(in: 0 ... .max))
    private static let json = Argument.flag("json", "Print JSON, one event per line.")

    /// How long `--follow` waits if there are no new events.
    private static let pause = Duration.seconds(1)

    static func command(_ installations: Installations) -> Command {
        let features = installations.features
        let kind = kinds(of: features)
        let options = features.all.flatMap(\.records).compactMap(\.option)
            .sorted { $0.argument.declaration.name < $1.argument.declaration.name }
        let examples = options.compactMap(\.example) + ["tenure events --follow --kind 'license.*' --json"]
        return Command(
            "events", "Prints events, oldest first, as `GET /v1/TENANT/events` does.",
            discussion: """
                Each line is an event: its number, time, kind, actor, subject and details. Documentation/events.md \
                lists the kinds. Events of several tenants are printed in the order of their times.
                """,
            example: examples.joined(separator: "\n"),
            arguments: [follow, kind] + options.map(\.argument) + [SharedOptions.tenant, after, json]
                + SharedOptions.installation,
            output: EventRecord.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let store = installation.store
            let catalog = try await installation.catalog()
            try catalog.current.catalog.check(tenant: arguments[SharedOptions.tenant])
            let newest = try await ContinueEvents.last(of: store)
            let tenants = arguments[SharedOptions.tenant].map { [$0] } ?? newest.keys.sorted()
            if arguments[after] != nil, tenants.count > 1 {
                throw UsageError("enter --tenant with --after, because each tenant's events have their own numbers")
            }
            func filter(_ tenant: TenantID) async throws -> EventFilter? {
                var filter = EventFilter(tenant: tenant, kind: arguments[kind])
                for option in options {
                    guard try await option.narrow(&filter, arguments, catalog, store) else { return nil }
                }
                return filter
            }
            let names = try catalog.secrets.names
            var stream = EventStream(in: store)
            for tenant in tenants {
                let isNew = arguments[follow] && arguments[after] == nil
                let start = isNew ? newest[tenant] ?? 0 : Int64(arguments[after] ?? 0)
                if let filter = try await filter(tenant) { stream.add(filter, after: start) }
            }
            if arguments[follow] { console.note("waiting for events after \(stream.starts); press Ctrl-C to stop") }
            while true {
                while let record = try await stream.next() {
                    let shown = names.shown(record)
                    if arguments[json] {
                        console.answer { $0.event(shown) }
                    } else {
                        console.answer(lines: [shown.line])
                    }
                }
                guard arguments[follow] else { break }
                try await Task.sleep(for: pause)
                guard arguments[SharedOptions.tenant] == nil else { continue }
                // Adds the tenants whose first event is newer than this command's start, because the stream lacks them.
                for counter in try await EventCounter.all(in: store) where !stream.contains(counter.tenant) {
                    if let filter = try await filter(counter.tenant) { stream.add(filter, after: 0) }
                }
            }
            await store.close()
            return .done
        }
    }

    private static func kinds(of features: FeatureSet) -> Argument<EventFilter.KindPattern?> {
        .optional(
            "kind", "KIND", "Only events of this kind, such as license.renewed, or of a family, such as 'license.*'.",
            as: ArgumentReading { text in
                guard let pattern = EventFilter.KindPattern(text), features.registry.knows(pattern) else {
                    throw UsageError("enter a kind from Documentation/events.md, or a family such as 'license.*'")
                }
                return pattern
            })
    }
}

/// An option of `tenure events` that selects the events about one record, such as a license.
package struct EventOption: Sendable {
    /// The option's name, placeholder and help.
    package let argument: any DeclaredArgument
    /// An example of the option for the command's help page; `nil` for no example.
    package let example: String?
    /// Narrows the filter if the option is given. Throws ``TenureCommandLine/CommandError`` for an unknown record.
    ///
    /// Returns `false` if the record doesn't belong to the filter's tenant.
    package let narrow: @Sendable (inout EventFilter, Parsed, CatalogCache, any Store) async throws -> Bool

    package init(
        _ argument: any DeclaredArgument, example: String? = nil,
        narrow: @escaping @Sendable (inout EventFilter, Parsed, CatalogCache, any Store) async throws -> Bool
    ) {
        self.argument = argument
        self.example = example
        self.narrow = narrow
    }
}

extension EventRecord {
    /// The event as one line of text for people.
    fileprivate var line: String {
        let subject = event.subject
        let concerns: [(String, String?)] = [
            ("product", subject.product?.text), ("app", subject.app?.description),
            ("account", subject.account?.text), ("license", subject.license?.description),
            ("activation", subject.activation?.description), ("enrolment", subject.enrolment?.description),
            ("contentLicense", subject.contentLicense?.description),
        ]
        let named = concerns.compactMap { name, value in value.map { "\(name)=\($0)" } }
        let facts = event.facts.map { "\($0.name)=\($0.textForPeople)" }
        let words = [
            "\(sequence)", event.at.local, event.kind.text, event.actor.description, subject.tenant.text,
        ]
        return (words + named + facts).joined(separator: "  ")
    }
}
