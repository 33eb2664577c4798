import Synchronization

/// Collects the latencies of all connections.
final class Report: Sendable {
    private struct Figures {
        var latencies: [UInt64] = []
        var notOK = 0
    }

    private let figures = Mutex(Figures())

    func add(_ latencies: [UInt64], notOK: Int) {
        figures.withLock { figures in
            figures.latencies += latencies
            figures.notOK += notOK
        }
    }

    /// Returns one JSON object with latencies in microseconds.
    func json(seconds: Double) -> String {
        let (latencies, notOK) = figures.withLock { ($0.latencies.sorted(), $0.notOK) }
        func at(_ share: Double) -> UInt64 {
            latencies.isEmpty ? 0 : latencies[min(Int(share * Double(latencies.count)), latencies.count - 1)] / 1000
        }
        return """
            {"requests": \(latencies.count), "notOK": \(notOK), "rate": \(Int(Double(latencies.count) / seconds)), \
            "p50": \(at(0.5)), "p90": \(at(0.9)), "p99": \(at(0.99)), "p999": \(at(0.999)), "max": \(at(1))}
            """
    }
}
