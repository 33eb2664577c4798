/// Counts durations into buckets, as Prometheus reads them.
package struct Histogram: Sendable {
    /// The upper edges of the buckets, in seconds.
    static let edges: [Double] = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5, 30]

    /// How many fell into each bucket, and beyond the last.
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
