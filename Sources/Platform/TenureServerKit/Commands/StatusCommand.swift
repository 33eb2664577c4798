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
                    ("version", .text()), ("store", .text()), ("schema", .text()), ("at", .moment),
                    ("virtualClock", .boolean), ("tenants", .integer()), ("latestEvent", .counts),
                ] + reports.flatMap(\.members))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let (store, clock) = (installation.store, installation.clock)
            let now = clock.now()
            let catalog = try await asking { try await features.catalog(of: store) }
            let latest = try await asking { try await ContinueEvents.last(of: store) }
            let context = StatusContext(store: store, clock: clock, now: now, catalog: catalog)
            var parts: [StatusPart] = []
            for report in reports { parts += try await asking { try await report.read(context) } }
            await store.close()
            let contents = parts.filter { $0.section == .contents }
            let details = parts.filter { $0.section == .details }
            let schema = features.schema.identifiers.last ?? "none"
            let place =
                (installation.folder.map { "sqlite, in \($0.path)" } ?? "postgres")
                + (StoreLocation.source(in: arguments).map { ", named by \($0)" } ?? "")
            let isVirtual = arguments[SharedOptions.clock] != nil
            guard arguments[SharedOptions.json] else {
                let head = [
                    "tenure       \(version)", "store        \(place), schema \(schema)",
                    "time         \(now.local)\(isVirtual ? "   (virtual clock)" : "")",
                    "tenants      \(catalog.tenants.count)",
                ]
                console.answer(
                    lines: head + contents.flatMap(\.lines) + ["latest event \(latest.listed)"]
                        + details.flatMap(\.lines))
                return .done
            }
            console.answer { body in
                body.member("version", version)
                body.member("store", place)
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
            }
            return .done
        }
    }
}
