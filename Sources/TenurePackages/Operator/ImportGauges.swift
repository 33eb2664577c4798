import TenureServerKit
import TenureStore

/// Tells `/metrics` how many packages are being fetched, and how many of them wait or failed.
struct ImportGauges: Sendable {
    let store: any Store

    /// The gauges in the Prometheus text format; nothing where the store does not answer.
    func exposition() async -> String {
        var text = PrometheusText()
        text.family(
            "tenure_package_imports", .gauge, "Packages from App Store Connect that are not served yet, 1000 a state.")
        for state in PackageImport.State.allCases where !state.isOver || state == .failed {
            guard
                let rows = try? await store.list(Listing(PackageImport.inState, [.of(state)], limit: 1000))
            else { return "" }
            text.sample(["state": state.rawValue], Double(rows.count))
        }
        guard
            let unmatched = try? await store.list(
                Listing(Notice.ofOutcome, [.of(Notice.Outcome.unmatched)], limit: 1000))
        else { return "" }
        text.family(
            "tenure_notifications_unmatched", .gauge, "Takedowns of packages that nobody has told of, in 90 days.")
        text.sample([:], Double(unmatched.count))
        return text.text
    }
}
