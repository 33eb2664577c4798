import TenureFoundation

/// A receiver of a renewal's events, with an id by which it can leave.
struct RenewalListener {
    let id: UUID
    let stream: AsyncStream<RenewalEvent>.Continuation
}

/// A renewal in progress and its listeners.
///
/// A listener that joins later receives all earlier events first.
final class RunningRenewal {
    /// The job as it was at the start.
    private let job: RenewalJob
    /// The items that aren't renewed because the user didn't agree.
    let withheld: Set<String>
    private var pastEvents: [RenewalEvent] = []
    private var listeners: [UUID: AsyncStream<RenewalEvent>.Continuation] = [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var isQuiet = false
    private(set) var isFinished = false

    init(_ job: RenewalJob, withheld: Set<String>) {
        self.job = job
        self.withheld = withheld
    }

    /// Whether this renewal covers a requested one, so that the request's caller can join it.
    ///
    /// - Parameter others: The items that the requested renewal would leave out, because the user didn't agree.
    func absorbs(_ contents: [String], isAlways: Bool, withheld others: Set<String>) -> Bool {
        job.covers(contents, isAlways: isAlways) && withheld.isDisjoint(with: Set(contents).subtracting(others))
    }

    /// Whether the results of these items are reported in this order, each at its position in the whole list.
    func hasOrder(of contents: [String]) -> Bool { job.contents == contents }

    /// The job with the results that the renewal ended with; `nil` before it has ended.
    var finishedJob: RenewalJob? {
        guard let report else { return nil }
        var finished = job
        finished.results = report.items.map { RenewalResult($0.content, $0.outcome.rawValue) }
        return finished
    }

    /// Whether the renewal may stop because all its listeners have left.
    var isAbandoned: Bool { listeners.isEmpty && !isQuiet }

    /// The number of listeners that haven't left.
    var audience: Int { listeners.count }

    /// Adds a listener; `nil` keeps the renewal running even without listeners.
    func listen(_ listener: RenewalListener?) {
        guard let listener else { return isQuiet = true }
        for event in pastEvents { listener.stream.yield(event) }
        if isFinished { listener.stream.finish() } else { listeners[listener.id] = listener.stream }
    }

    /// Removes a listener; returns whether it was registered.
    func leave(_ id: UUID) -> Bool { listeners.removeValue(forKey: id) != nil }

    func tell(_ event: RenewalEvent) {
        pastEvents.append(event)
        for listener in listeners.values { listener.yield(event) }
        guard case .finished = event else { return }
        isFinished = true
        for listener in listeners.values { listener.finish() }
        listeners = [:]
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Suspends the caller until the renewal has ended.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        guard !isFinished else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// The report; `nil` before the renewal has ended.
    var report: RenewalReport? {
        if case .finished(let report) = pastEvents.last { report } else { nil }
    }
}
