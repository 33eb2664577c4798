import TenureCore
import TenureLicensing
import TenureThreads

/// The systems that devices have reported and that aren't written yet.
///
/// Each device's system is written at most once an hour, because every one is a durable change of its own, and an app
/// may report another system with each request. Until then, the latest report waits.
struct ReportedSystems {
    /// The shortest time between two writes for the same device.
    static let pause = Duration.seconds(3_600)

    private let limit: Int
    private var waiting: [ActivationID: DeviceSystem] = [:]
    private var written: [ActivationID: SteadyTime] = [:]

    /// - Parameter limit: The most devices that wait, and the most that are written per ``pause``.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a report; it replaces the device's earlier one, and is lost if `limit` other devices are waiting.
    mutating func report(_ system: DeviceSystem, of activation: ActivationID) {
        if waiting.count < limit || waiting[activation] != nil { waiting[activation] = system }
    }

    /// Removes and returns the reports that may be written now.
    mutating func takeDue(at now: SteadyTime) -> [ActivationID: DeviceSystem] {
        if !written.isEmpty { written = written.filter { now < $0.value.advanced(by: Self.pause) } }
        guard !waiting.isEmpty else { return [:] }
        var due: [ActivationID: DeviceSystem] = [:]
        for (activation, system) in waiting where written[activation] == nil && written.count < limit {
            written[activation] = now
            due[activation] = system
        }
        for activation in due.keys { waiting[activation] = nil }
        return due
    }

    /// Removes and returns all reports, for a server that stops.
    mutating func takeAll() -> [ActivationID: DeviceSystem] {
        defer { waiting = [:] }
        return waiting
    }
}
