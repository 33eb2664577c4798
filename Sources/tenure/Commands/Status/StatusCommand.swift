import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureLicensingServer
import TenureMarketplace
import TenureMarketplaceServer
import TenureServerKit
import TenureStore

/// The command `tenure status`.
enum StatusCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "status", "Shows what an installation contains, and which licenses expire soon.",
            discussion: """
                A device tries to renew an app's license about once, on its last day. If the renewal was refused, the \
                app stops when the license expires. Use `tenure license list --apps` and `tenure license explain` to \
                find out which licenses and why.
                """,
            example: "tenure status --json",
            arguments: [SharedOptions.json] + SharedOptions.installation
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let status = try await ReadStatus(store: installation.store, clock: installation.clock)()
            await installation.store.close()
            let page = StatusPage(
                status: status, version: Version.current, schema: StoreSchema.tenure.identifiers.last ?? "none",
                place: (installation.folder.map { "sqlite, in \($0.path)" } ?? "postgres")
                    + (StorePlace.source(in: arguments).map { ", named by \($0)" } ?? ""),
                hasVirtualClock: arguments[SharedOptions.clock] != nil)
            page.answer(asJSON: arguments[SharedOptions.json], on: console)
            return .done
        }
    }
}

/// The status of an installation, as text or as JSON.
struct StatusPage {
    let status: ReadStatus.Status
    let version: String
    let schema: String
    let place: String
    let hasVirtualClock: Bool

    /// Prints the status.
    func answer(asJSON: Bool, on console: Console) {
        if asJSON {
            console.answer { write(to: &$0) }
        } else {
            console.answer(lines: lines)
        }
    }

    private var tenants: [Tenant] { status.catalog.tenants.values.sorted { $0.id < $1.id } }

    private var licenses: [(state: License.State, count: Int)] {
        License.State.allCases.compactMap { state in
            status.census.licenses[state].flatMap { $0 > 0 ? (state, $0) : nil }
        }
    }

    private var lines: [String] {
        let clock = hasVirtualClock ? "   (virtual clock)" : ""
        let all = licenses.reduce(0) { $0 + $1.count }
        let states = licenses.map { "\($0.count) \($0.state.rawValue)" }.joined(separator: ", ")
        var lines = [
            "tenure       \(version)", "store        \(place), schema \(schema)", "time         \(status.at)\(clock)",
            "tenants      \(tenants.count)", "products     \(tenants.reduce(0) { $0 + $1.products.count })",
            "licenses     \(all)" + (states.isEmpty ? "" : ": \(states)"),
            "devices      \(status.census.liveActivations)", "latest event \(status.census.latestEvent)",
        ]
        for tenant in tenants {
            guard let market = tenant.marketplace else { continue }
            let keys =
                switch status.keys[tenant.id] {
                case .imported where !DescribeMarketplaceKeys.hasApplesEngine: "imported keys, SIMULATED licenses"
                case .imported: "imported keys"
                case .simulated: "SIMULATED keys"
                case nil, .some(.none): "no keys yet"
                }
            lines.append(
                "marketplace  \(tenant.id): \(market.name) at \(market.domain), \(market.apps.count) app\(market.apps.count == 1 ? "" : "s"), "
                    + "access \(market.access.rawValue), \(keys)")
        }
        for risk in status.risks {
            lines.append(
                "expiring     \(risk.tenant): \(Self.text(risk.day)) within 24 hours, \(Self.text(risk.week)) within 7 days"
            )
        }
        return lines + status.packageLines
    }

    private static func text(_ count: RenewalRisk.Count) -> String {
        "\(count.expiring)" + (count.failed > 0 ? " (\(count.failed) refused renewal)" : "")
    }

    private func write(to body: inout JSONObjectWriter) {
        body.member("version", version)
        body.member("store", place)
        body.member("schema", schema)
        body.member("at", status.at.description)
        body.member("virtualClock", hasVirtualClock)
        body.member("tenants", tenants.count)
        body.member("products", tenants.reduce(0) { $0 + $1.products.count })
        body.object("licenses") { list in
            for (state, count) in licenses { list.member(state.rawValue, count) }
        }
        body.member("liveActivations", status.census.liveActivations)
        body.member("latestEvent", status.census.latestEvent)
        body.array("marketplaces") { list in
            for tenant in tenants {
                guard let market = tenant.marketplace else { continue }
                list.object { body in
                    body.member("tenant", tenant.id.text)
                    body.member("name", market.name)
                    body.member("domain", market.domain)
                    body.member("access", market.access.rawValue)
                    body.member("apps", market.apps.count)
                    let keys = status.keys[tenant.id] ?? .none
                    body.member("keys", keys.rawValue)
                    body.member("simulated", keys == .simulated || !DescribeMarketplaceKeys.hasApplesEngine)
                }
            }
        }
        body.array("renewalRisk") { list in
            for risk in status.risks {
                list.object { body in
                    body.member("tenant", risk.tenant.text)
                    body.object("within24h") { Self.write(risk.day, to: &$0) }
                    body.object("within7d") { Self.write(risk.week, to: &$0) }
                }
            }
        }
        status.writePackages(to: &body)
    }

    private static func write(_ count: RenewalRisk.Count, to body: inout JSONObjectWriter) {
        body.member("expiring", count.expiring)
        body.member("failed", count.failed)
    }
}
