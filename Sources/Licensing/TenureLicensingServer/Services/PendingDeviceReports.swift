import TenureCore
import TenureLicensing
import TenureThreads

/// The names and systems that devices have reported and that aren't written yet.
///
/// Each device's report is written at most once an hour, and the latest report waits until then. The reason is that
/// each write is a durable change of its own, and an app may report something else with each request.
struct PendingDeviceReports {
    /// The shortest time between two writes for the same device.
    static let pause = Duration.seconds(3_600)

    private let limit: Int
    private var waiting: [ActivationID: DeviceReport] = [:]
    private var written: [ActivationID: SteadyTime] = [:]

    /// - Parameter limit: The most devices that wait, and the most that are written per ``pause``.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a report, completed with the values of the device's earlier one. It's lost if `limit` other devices are
    /// waiting.
    mutating func add(_ report: DeviceReport, of activation: ActivationID) {
        if let earlier = waiting[activation] {
            waiting[activation] = report.adding(earlier)
        } else if waiting.count < limit {
            waiting[activation] = report
        }
    }

    /// Removes and returns the reports that may be written now.
    mutating func takeDue(at now: SteadyTime) -> [ActivationID: DeviceReport] {
        if !written.isEmpty { written = written.filter { now < $0.value.advanced(by: Self.pause) } }
        guard !waiting.isEmpty else { return [:] }
        var due: [ActivationID: DeviceReport] = [:]
        for (activation, report) in waiting where written[activation] == nil && written.count < limit {
            written[activation] = now
            due[activation] = report
        }
        for activation in due.keys { waiting[activation] = nil }
        return due
    }

    /// Removes and returns all reports, for a server that stops.
    mutating func takeAll() -> [ActivationID: DeviceReport] {
        defer { waiting = [:] }
        return waiting
    }
}
