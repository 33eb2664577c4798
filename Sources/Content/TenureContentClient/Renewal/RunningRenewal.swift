import Foundation

/// A renewal in progress and its listeners.
///
/// Late listeners receive all earlier events first.
final class RunningRenewal {
    /// The job as it was at the start.
    private let job: RenewalJob
    /// The items that are left because the user didn't agree.
    let withheld: Set<String>
    private var told: [RenewalEvent] = []
    private var listeners: [UUID: AsyncStream<RenewalEvent>.Continuation] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isQuiet = false
    /// Whether the renewal has ended.
    private(set) var isFinished = false

    init(_ job: RenewalJob, withheld: Set<String>) {
        self.job = job
        self.withheld = withheld
    }

    /// Whether this renewal covers another one, which leaves out the items in `others`.
    func absorbs(_ contents: [String], isAlways: Bool, withheld others: Set<String>) -> Bool {
        job.covers(contents, isAlways: isAlways) && withheld.isDisjoint(with: Set(contents).subtracting(others))
    }

    /// Whether the renewal may stop because all its listeners have left.
    var isAbandoned: Bool { listeners.isEmpty && !isQuiet }

    /// The number of listeners.
    var audience: Int { listeners.count }

    func listen(_ id: UUID, _ listener: AsyncStream<RenewalEvent>.Continuation) {
        for event in told { listener.yield(event) }
        if isFinished { listener.finish() } else { listeners[id] = listener }
    }

    /// Keeps the renewal running without listeners.
    func goOnQuietly() { isQuiet = true }

    /// Removes a listener; returns whether it was registered.
    func leave(_ id: UUID) -> Bool { listeners.removeValue(forKey: id) != nil }

    func tell(_ event: RenewalEvent) {
        told.append(event)
        for listener in listeners.values { listener.yield(event) }
        guard case .finished = event else { return }
        isFinished = true
        for listener in listeners.values { listener.finish() }
        listeners = [:]
        for one in waiting { one.resume() }
        waiting = []
    }

    /// Waits until the renewal has ended.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        guard !isFinished else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The report; `nil` before the renewal has ended.
    var report: RenewalReport? {
        if case .finished(let report) = told.last { report } else { nil }
    }
}
