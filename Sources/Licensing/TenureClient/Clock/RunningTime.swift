import TenureCore

/// How long a device has run in all, counted from boot to boot, which no clock setting changes.
///
/// Time in which the device was off, or which passed in a boot without any reading, isn't counted.
struct RunningTime: Sendable, Hashable, Codable {
    /// The seconds counted so far.
    private(set) var seconds: Int64 = 0
    /// The last reading; the seconds are counted up to it.
    private(set) var reading: ClockReading

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case seconds = "seconds"
        case reading = "reading"
    }

    init(_ reading: ClockReading) { self.reading = reading }

    /// The seconds up to a later reading.
    func seconds(until now: ClockReading) -> Int64 {
        let (sum, overflow) = seconds.addingReportingOverflow(passed(until: now))
        return overflow ? .max : sum
    }

    /// Counts the seconds up to a later reading; an earlier one of the same boot changes nothing.
    mutating func count(until now: ClockReading) {
        guard !now.precedes(reading) else { return }
        seconds = seconds(until: now)
        reading = now
    }

    private func passed(until now: ClockReading) -> Int64 {
        if let passed = now.seconds(since: reading) { return passed }
        // After a reset to a snapshot, the boot is the same and its uptime has been counted already.
        guard !now.boot.isEmpty, !reading.boot.isEmpty, now.boot != reading.boot else { return 0 }
        return max(0, now.uptime)
    }
}
