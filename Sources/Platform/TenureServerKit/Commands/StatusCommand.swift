import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command `tenure status`.
enum StatusCommand {
    static func command(_ installations: Installations, version: String) -> Command {
        let (features, reports) = (installations.features, installations.features.all.compactMap(\.status))
        return Command(
            "status", "Shows what an installation contains, and which licenses expire soon.",
            discussion: reports.map(\.discussion).filter { !$0.isEmpty }.joined(separator: "\n\n"),
            example: "tenure status --json",
            arguments: [SharedOptions.json] + SharedOptions.installation,
            output: Schema.output(
                [
                    ("version", .text()), ("store", .text()), ("schema", .text()), ("at", .dateTime),
                    ("virtualClock", .boolean), ("tenants", .integer()), ("latestEvent", .counts),
                ] + reports.flatMap(\.members) + [("attention", .list(of: Attention.output))])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (store, clock) = (installation.store, installation.clock)
            let now = clock.now()
            let catalog = try await features.catalog(of: ServerStore(store))
            let latest = try await ContinueEvents.last(of: ServerStore(store))
            let context = StatusContext(store: store, clock: clock, now: now, catalog: catalog)
            var parts: [StatusPart] = []
            var waiting: [(attention: Attention, items: [Attention.Item])] = []
            try await asking {
                for report in reports { parts += try await report.read(context) }
                for attention in features.attention {
                    let items = try await attention.read(store, now)
                    if !items.isEmpty { waiting.append((attention, items)) }
                }
            }
            await store.close()
            let contents = parts.filter { $0.section == .contents }
            let details = parts.filter { $0.section == .details }
            let schema = features.schema.identifiers.last ?? "none"
            let location =
                (installation.folder.map { "sqlite, in \($0.path)" } ?? "postgres")
                + (StoreLocation.source(in: arguments).map { ", named by \($0)" } ?? "")
            let isVirtual = arguments[SharedOptions.clock] != nil
            guard arguments[SharedOptions.json] else {
                let head = [
                    "tenure       \(version)", "store        \(location), schema \(schema)",
                    "time         \(now.local)\(isVirtual ? "   (virtual clock)" : "")",
                    "tenants      \(catalog.tenants.count)",
                ]
                console.answer(
                    lines: head + contents.flatMap(\.lines) + ["latest event \(latest.listed)"]
                        + details.flatMap(\.lines)
                        + waiting.compactMap { attention, items in
                            attention.sentence(items).map { "attention    \(attention.subject): \($0)" }
                        })
                return .done
            }
            console.answer { body in
                body.member("version", version)
                body.member("store", location)
                body.member("schema", schema)
                body.member("at", now.description)
                body.member("virtualClock", isVirtual)
                body.member("tenants", catalog.tenants.count)
                for part in contents { part.write(&body) }
                body.object("latestEvent") { object in
                    for (tenant, number) in latest.sorted(by: { $0.key < $1.key }) {
                        object.member(tenant.text, number)
                    }
                }
                for part in details { part.write(&body) }
                body.array("attention") { list in
                    for (attention, items) in waiting {
                        for item in items { list.object { attention.write(item, into: &$0) } }
                    }
                }
            }
            return .done
        }
    }
}

extension Attention {
    /// The members of an attention item in the output of `tenure status --json`.
    fileprivate static let output = Schema.output([
        ("name", .text()), ("tenant", .textOrNull), ("count", .integer()), ("oldest", .dateTime), ("message", .text()),
        ("remedy", .text()),
    ])

    fileprivate func write(_ item: Item, into body: inout JSONObjectWriter) {
        body.member("name", name)
        body.member("tenant", item.tenant?.text)
        body.member("count", item.count)
        body.member("oldest", item.oldest.description)
        body.member("message", "\(subject): \(sentence([item]) ?? "")")
        body.member("remedy", remedy)
    }
}
