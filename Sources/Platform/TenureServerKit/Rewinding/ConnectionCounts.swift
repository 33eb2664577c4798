import TenureStore

/// The numbers of opened and refused connections to the database, and the host that gets the changes, for metrics.
struct ConnectionCounts: Sendable, Hashable {
    private(set) var opened: [NewConnection.Purpose: Int] = [:]
    /// The number of connections that were refused because they led to a former primary.
    private(set) var refused = 0
    /// The host and port of the newest connection whose purpose is `changes`; `nil` before the first one.
    private(set) var host: String?

    mutating func count(_ connection: NewConnection, isRefused: Bool) {
        if isRefused { return refused += 1 }
        opened[connection.purpose, default: 0] += 1
        if connection.purpose == .changes { host = connection.host }
    }

    /// Writes the metric families for `/metrics`.
    func write(into text: inout PrometheusText) {
        text.family(
            "tenure_store_connections_opened_total", .counter,
            "Connections to the database that were opened or checked again, by use.")
        for (purpose, name) in [(NewConnection.Purpose.changes, "changes"), (.queries, "requests"), (.other, "other")] {
            text.sample(["use": name], Double(opened[purpose] ?? 0))
        }
        text.family(
            "tenure_store_connections_refused_total", .counter,
            "Connections that led to a former primary of the database.")
        text.sample([:], Double(refused))
        guard let host else { return }
        text.family("tenure_store_host", .gauge, "1 for the database host that gets the changes.")
        text.sample(["host": host], 1)
    }
}
