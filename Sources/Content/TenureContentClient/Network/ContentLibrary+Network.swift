import TenureContent
public import Foundation
import TenureClient
import TenureCore

/// Automatic renewals: in the foreground, in the background, and when the network is back.
extension ContentLibrary {
    /// The minimum interval between two foreground runs, in seconds.
    private static let lookInterval: Int64 = 15 * 60

    /// Reports use and renews what is due after the app became active, at most every 15 minutes.
    public func becameActive() async {
        let reading = clocks.device.read()
        if let last = lastLook, let passed = reading.seconds(since: last), passed < Self.lookInterval { return }
        lastLook = reading
        await run("foreground", asked: moment().now, .askedUnlessDeclined)
    }

    /// Records for ``runs`` that the app asked the system for background time.
    public func backgroundAsked() {
        note(RenewalRun("background", askedAt: Moment(moment().now)))
    }

    /// Runs a renewal in background time that the system granted.
    ///
    /// It returns when everything is done, or soon after its task is cancelled. Responses received by then are kept.
    /// Items that ask the user first are left for the next ``becameActive()``.
    public func runInBackground() async {
        let asked = shelf.runs.last { $0.occasion == "background" && $0.ranAt == nil }?.askedAt.timestamp
        await run("background", asked: asked ?? moment().now, .none)
        // Resets the interval, so that the next foreground run asks the user at once.
        if !awaitingConfirmation.isEmpty { lastLook = nil }
    }

    /// When to wake the app for the next renewal or pending request; `nil` if there isn't one.
    public var nextRunAt: Date? {
        let moment = moment()
        if waitsForNetwork { return Date(moment.now) }
        let due =
            shelf.holding.keys.compactMap { shelf.due($0, at: moment) } + [shelf.token?.halfLife].compactMap(\.self)
        return due.min().map { Date(max($0, moment.now)) }
    }

    /// A renewal run that started automatically.
    public struct Run: Sendable, Hashable {
        /// The trigger: `foreground`, `background` or `recovery`.
        public let occasion: String
        /// When the run was requested.
        public let askedAt: Date
        /// When the run started; `nil` if the system didn't allow it.
        public let ranAt: Date?
        /// When the run finished; `nil` if it was interrupted.
        public let finishedAt: Date?
    }

    /// The latest automatic renewal runs, latest last, for support.
    public var runs: [Run] {
        let date = { (moment: Moment) in Date(moment.timestamp) }
        return shelf.runs.map {
            Run(
                occasion: $0.occasion, askedAt: date($0.askedAt), ranAt: $0.ranAt.map(date),
                finishedAt: $0.finishedAt.map(date))
        }
    }

    /// Does all pending work.
    ///
    /// - Returns: A refusal that only a different token, app version or server can resolve; otherwise `nil`.
    @discardableResult
    private func run(_ occasion: String, asked: Timestamp, _ consent: RenewalConsent) async -> ToldReason? {
        service.keys.lookAnew()
        var run = RenewalRun(occasion, askedAt: Moment(asked))
        run.ranAt = Moment(moment().now)
        note(run)
        var problem = await reportUse()
        problem = await giveBackOwed() ?? problem
        await goOnWithCutOff(consent)
        await renew(.due(within: 0), listener: nil, consent)
        if !recovery.wants { problem = await keepSignedIn() ?? problem }
        // A transient failure is cleared if nothing is due for the item any more.
        let idle = shelf.fates.filter { name, fate in fate.outcome == "transient" && !isDue(name) }.keys.sorted()
        try? commit(idle.map { .note(.fate($0, nil)) })
        run.finishedAt = Moment(moment().now)
        note(run)
        let no = problem.flatMap { $0.isMendedByWaiting ? nil : $0 }
        if no == nil { recovery.goOn() }
        return no
    }

    private func isDue(_ name: String) -> Bool {
        guard let kept = ContentID(name).flatMap({ shelf[$0] }) else { return false }
        let standing = kept.grant.status(of: kept.ledger, at: moment())
        return standing.isDue || !standing.status.isPlayable
    }

    /// Stores a run, replacing its earlier record, and drops the oldest runs.
    ///
    /// A failed write is ignored.
    private func note(_ run: RenewalRun) {
        let others = shelf.runs.filter {
            $0.occasion != run.occasion || $0.askedAt != run.askedAt || $0.finishedAt != nil
        }
        try? commit([.note(.runs(Array((others + [run]).suffix(RenewalRun.most))))])
    }

    /// Whether any work is waiting for the network.
    ///
    /// This is unreported use, a license to return or renew, a play that the user wanted, or a token past half its
    /// lifetime. A refusal that waiting can't resolve, such as an expired token, doesn't count.
    public var waitsForNetwork: Bool {
        guard !recovery.isStuck else { return false }
        return recovery.wants || shelf.job != nil || !shelf.owed.isEmpty || shelf.wish != nil
            || shelf.fates.values.contains(where: \.isWaiting) || isTokenAging
            // A play in progress is reported when it ends.
            || plays.isEmpty && shelf.licenses.values.contains { !$0.unreported(at: $0.grant.issuedAt).isEmpty }
    }

    /// Whether the token is known to be past half its lifetime and a new one is due.
    private var isTokenAging: Bool {
        guard let token = shelf.token, token.halfLife != nil else { return false }
        return token.isSuccessorDue(at: moment().now)
    }

    /// Retries pending work whenever the network returns, until the task is cancelled.
    ///
    /// While work is pending, it requests the server's time after random pauses that double from 2 seconds to 5
    /// minutes. Once a signed time arrives, it does the pending work. Captive portals, redirects and times with another
    /// nonce don't count as a response.
    public func watchNetwork() async {
        while !Task.isCancelled {
            if waitsForNetwork {
                try? await clocks.sleep(.milliseconds(Int(clocks.random(recovery.most) * 1_000)))
                guard !Task.isCancelled else { return }
                await recover()
            } else {
                await sleepUntilWanted()
            }
        }
    }

    /// Checks the server within 10 seconds, after a hint that the network may be back.
    public func networkMayBeBack() async {
        guard waitsForNetwork, !isHinted else { return }
        isHinted = true
        try? await clocks.sleep(.milliseconds(Int(clocks.random(NetworkRecovery.hintPause) * 1_000)))
        isHinted = false
        await recover()
    }

    /// Checks whether the server responds, and then does the pending work.
    private func recover() async {
        guard waitsForNetwork, !isRecovering else { return }
        isRecovering = true
        defer { isRecovering = false }
        if let problem = await checkIn(anyway: true) {
            return problem.isMendedByWaiting ? recovery.failed() : recovery.stop()
        }
        recovery.answered()
        let no = await run("recovery", asked: moment().now, .askedUnlessDeclined)
        if shelf.wish != nil, !recovery.wants { try? commit([.note(.wish(nil))]) }
        if !waitsForNetwork { recovery.done() } else if no != nil { recovery.stop() } else { recovery.failed() }
    }

    /// Marks work as waiting for the network, unless waiting can't resolve the failure.
    func wantNetwork(_ unreached: Unreached? = nil) {
        guard unreached?.cause.isMendedByWaiting ?? true else { return }
        recovery.want()
        wake()
    }

    /// Ends the pause of ``watchNetwork()`` if work is now pending.
    func wake() {
        if nap != nil, waitsForNetwork { nap?.cancel() }
    }

    private func sleepUntilWanted() async {
        let sleep = clocks.idle
        let nap = Task { () -> Void in try? await sleep(.seconds(86_400)) }
        self.nap = nap
        await withTaskCancellationHandler {
            await nap.value
        } onCancel: {
            nap.cancel()
        }
        if self.nap == nap { self.nap = nil }
    }
}

extension ToldReason {
    /// Whether the problem may go away without any action.
    var isMendedByWaiting: Bool {
        KeptFate(outcome: "transient", reasons: [self], at: .init(.init(seconds: 0))).isWaiting
    }
}
