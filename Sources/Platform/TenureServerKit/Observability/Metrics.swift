import Synchronization
import TenureHTTP

/// Counts responses, refusals, and reports from apps without a license key, for `/metrics`.
public final class Metrics: Sendable {
    private struct Series: Hashable {
        let route: String
        let status: Int
    }

    private struct Counts {
        var requests: [Series: Int] = [:]
        var durations: [String: Histogram] = [:]
        var refusals: [String: Int] = [:]
        var keyless: [String: Int] = [:]
    }

    private let counts = Mutex(Counts())

    /// Creates counters at zero.
    public init() {}

    /// Counts a response and its duration in seconds.
    ///
    /// - Parameter route: The route's path pattern.
    package func record(route: String, status: Int, seconds: Double) {
        counts.withLock { counts in
            counts.requests[Series(route: route, status: status), default: 0] += 1
            counts.durations[route, default: Histogram()].observe(seconds)
        }
    }

    /// Counts a refusal by the code of its first reason.
    package func recordRefusal(code: String) {
        counts.withLock { $0.refusals[code, default: 0] += 1 }
    }

    /// Counts a report from an app without a license key, by the state that the app reports.
    package func recordKeyless(state: String) {
        counts.withLock { $0.keyless[state, default: 0] += 1 }
    }

    /// The counts in the Prometheus text format.
    package func exposition() -> String {
        counts.withLock { counts in
            var text = PrometheusText()
            text.family("tenure_http_requests_total", .counter, "Completed requests, by route and status.")
            for (series, count) in counts.requests.sorted(by: {
                ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status)
            }) {
                text.sample(["route": series.route, "status": String(series.status)], Double(count))
            }
            text.family(
                "tenure_http_request_seconds", .histogram,
                "Time from receiving the complete request to the response, by route.")
            for (route, histogram) in counts.durations.sorted(by: { $0.key < $1.key }) {
                text.histogram(["route": route], histogram)
            }
            text.family("tenure_refusals_total", .counter, "Refused requests, by the code of the first reason.")
            for (code, count) in counts.refusals.sorted(by: { $0.key < $1.key }) {
                text.sample(["code": code], Double(count))
            }
            text.family(
                "tenure_keyless_reports_total", .counter, "Reports from apps without a license key, by their state.")
            for (state, count) in counts.keyless.sorted(by: { $0.key < $1.key }) {
                text.sample(["state": state], Double(count))
            }
            return text.text
        }
    }
}

/// A Prometheus histogram of durations.
package struct Histogram: Sendable {
    /// The upper bounds of the buckets, in seconds.
    static let edges: [Double] = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30]

    /// The count of each bucket, not including smaller buckets. The last bucket has no upper bound.
    private(set) var buckets = [Int](repeating: 0, count: edges.count + 1)
    private(set) var sum = 0.0
    private(set) var count = 0

    mutating func observe(_ seconds: Double) {
        let bucket = Self.edges.firstIndex { seconds <= $0 } ?? Self.edges.count
        buckets[bucket] += 1
        sum += seconds
        count += 1
    }
}
