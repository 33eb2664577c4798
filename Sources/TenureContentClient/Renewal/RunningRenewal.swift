import Foundation

/// A renewal that runs, and who listens to it. Whoever comes later is told from the beginning, so that each hears of each
/// content once.
final class RunningRenewal {
    /// What it is about, as it was at the beginning.
    private let job: RenewalJob
    /// The contents that are left because the person did not agree.
    let withheld: Set<String>
    private var told: [RenewalEvent] = []
    private var listeners: [UUID: AsyncStream<RenewalEvent>.Continuation] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isQuiet = false
    /// Whether it is over.
    private(set) var isFinished = false

    init(_ job: RenewalJob, withheld: Set<String>) {
        self.job = job
        self.withheld = withheld
    }

    /// Whether it does all that another would, which leaves some contents.
    func absorbs(_ contents: [String], isAlways: Bool, withheld others: Set<String>) -> Bool {
        job.covers(contents, isAlways: isAlways) && withheld.isDisjoint(with: Set(contents).subtracting(others))
    }

    /// Whether nobody listens any more who once did.
    var isAbandoned: Bool { listeners.isEmpty && !isQuiet }

    /// How many listen.
    var audience: Int { listeners.count }

    func listen(_ id: UUID, _ listener: AsyncStream<RenewalEvent>.Continuation) {
        for event in told { listener.yield(event) }
        if isFinished { listener.finish() } else { listeners[id] = listener }
    }

    /// It goes on whoever listens.
    func goOnQuietly() { isQuiet = true }

    /// Answers whether that one listened.
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

    /// Waits until it is over.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        guard !isFinished else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// What it came to; nil before it is over.
    var report: RenewalReport? {
        if case .finished(let report) = told.last { report } else { nil }
    }
}
