/// When each request is due, in nanoseconds of the monotonic clock.
struct Schedule: Sendable {
    let start: UInt64
    /// Requests per second.
    let rate: Double
    let total: Int

    func due(_ index: Int) -> UInt64 {
        start + UInt64(Double(index) / rate * 1e9)
    }
}
