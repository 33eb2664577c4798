import TenureServerKit
import TenureStore

/// Prometheus gauges for package imports that aren't served, and for notifications.
struct ImportGauges: Sendable {
    let store: ServerStore

    /// Returns the gauges in the Prometheus text format; empty if the store doesn't respond.
    func exposition() async -> String {
        var text = PrometheusText()
        text.family(
            "tenure_package_imports", .gauge,
            "Packages from App Store Connect that aren't served yet, counted up to 1000 per state.")
        for state in PackageImport.State.allCases where !state.isOver || state == .failed {
            guard let results = try? await store.fetch(Self.imports.bind(state)) else { return "" }
            text.sample(["state": state.rawValue], Double(results[Self.imports.queries]))
        }
        guard let results = try? await store.fetch(Self.notices.bind(.unmatched)) else { return "" }
        text.family(
            "tenure_notifications_unmatched", .gauge, "Takedowns of unknown packages within 90 days.")
        text.sample([:], Double(results[Self.notices.queries]))
        return text.text
    }

    private static let imports = QueryPlan(for: PackageImport.State.self) { query in
        query.count(PackageImport.inState, upTo: 1000) { [.of($0)] }
    }
    private static let notices = QueryPlan(for: Notice.Outcome.self) { query in
        query.count(Notice.ofOutcome, upTo: 1000) { [.of($0)] }
    }
}
