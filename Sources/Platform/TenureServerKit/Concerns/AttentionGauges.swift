import TenureCore
import TenureStore

/// The gauges for metrics about problems that wait for the operator.
struct AttentionGauges: Sendable {
    let attention: [Attention]
    let store: any Store
    let clock: any WallClock

    /// The gauges in the Prometheus text format, without values of problems that can't be read from the store.
    func exposition() async -> String {
        var counts = PrometheusText()
        counts.family("tenure_attention", .gauge, "What waits for the operator; `tenure doctor` says what to do.")
        var ages = PrometheusText()
        ages.family("tenure_attention_oldest_seconds", .gauge, "For how long the oldest of it waits.")
        let now = clock.now()
        for each in attention {
            guard let items = try? await each.read(store, now) else { continue }
            for item in items {
                let labels: KeyValuePairs = ["name": each.name, "tenant": item.tenant?.text ?? ""]
                counts.sample(labels, Double(item.count))
                ages.sample(labels, Double(max(now.seconds - item.oldest.seconds, 0)))
            }
        }
        return counts.text + ages.text
    }
}
