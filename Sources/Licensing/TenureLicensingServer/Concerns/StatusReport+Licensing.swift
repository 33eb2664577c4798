import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

extension StatusReport {
    /// The number of products, of licenses by state, of test licenses, and the licenses that end soon.
    static let licensing = StatusReport(
        members: [
            ("products", .integer()), ("licenses", .counts), ("testLicenses", .integer()),
            ("liveActivations", .integer()), ("trials", .counts),
        ] + EndingLicenses.members
    ) { context in
        let census = try await context.store.census()
            .expiring(try await context.store.view(Census.ended, [.of(context.now)]))
        let trials = try await context.store.view(TrialCounts.entries, [.of(context.now)]).first
        let products = context.catalog.tenants.values.reduce(0) { $0 + $1.products.count }
        let licenses = License.State.allCases.compactMap { state in
            census.licenses[state].flatMap { $0 > 0 ? (state: state, count: $0) : nil }
        }
        let all = licenses.reduce(0) { $0 + $1.count }
        let states = licenses.map { "\($0.count) \($0.state.rawValue)" }.joined(separator: ", ")
        let tests = census.testLicenses
        let lines =
            ["products     \(products)", "licenses     \(all)" + (states.isEmpty ? "" : ": \(states)")]
            + (tests > 0 ? ["             \(tests.of("test license")), not counted above or among the devices"] : [])
            + ["devices      \(census.liveActivations)", "trials       \(trials.map(\.words) ?? "0")"]
        let part = StatusPart(.contents, lines) { body in
            body.member("products", products)
            body.object("licenses") { list in
                for (state, count) in licenses { list.member(state.rawValue, count) }
            }
            body.member("testLicenses", census.testLicenses)
            body.member("liveActivations", census.liveActivations)
            body.object("trials") { list in
                list.member("running", trials?.running ?? 0)
                list.member("ended", (trials?.all ?? 0) - (trials?.running ?? 0))
            }
        }
        let ending = try await EndingLicenses(in: context.store, at: context.now)
        return [part, StatusPart(.details, ending.lines) { body in ending.write(into: &body) }]
    }
}
