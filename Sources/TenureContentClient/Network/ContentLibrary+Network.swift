public import Foundation
import TenureClient
import TenureCore

/// When renewals are asked for by themselves: when the app is looked at, in the background, and when the network is back.
extension ContentLibrary {
    /// How often the app's being looked at asks at most, in seconds.
    private static let lookInterval: Int64 = 15 * 60

    /// The app came to the foreground: reports use and renews what is due, at most every 15 minutes.
    public func becameActive() async {
        let reading = clocks.device.read()
        if let last = lastLook, let passed = reading.seconds(since: last), passed < Self.lookInterval { return }
        lastLook = reading
        await run("foreground", asked: moment().now, .askedUnlessDeclined)
    }

    /// The system was asked for time in the background, and may give it or not; kept for support (``runs``).
    public func backgroundAsked() {
        note(RenewalRun("background", askedAt: Moment(moment().now)))
    }

    /// The system gave time in the background. Ends when all is done, or a while after its task is cancelled: what was
    /// answered until then is kept. What asks the person first is left; the next ``becameActive()`` asks.
    public func runInBackground() async {
        let asked = shelf.runs.last { $0.occasion == "background" && $0.ranAt == nil }?.askedAt.timestamp
        await run("background", asked: asked ?? moment().now, .none)
        // The person is asked when they are there, however short ago that was.
        if !awaitingConfirmation.isEmpty { lastLook = nil }
    }

    /// When the app is to be woken, to renew what is due then and to tell what waits; nil when neither will be.
    public var nextRunAt: Date? {
        let moment = moment()
        if waitsForNetwork { return Date(moment.now) }
        let due =
            shelf.holding.keys.compactMap { shelf.due($0, at: moment) } + [shelf.token?.halfLife].compactMap(\.self)
        return due.min().map { Date(max($0, moment.now)) }
    }

    /// A renewal that ran by itself.
    public struct Run: Sendable, Hashable {
        /// What for: `foreground`, `background`, `recovery`.
        public let occasion: String
        /// When it was asked for.
        public let askedAt: Date
        /// When it ran; nil when the system did not let it.
        public let ranAt: Date?
        /// When it was done; nil when it was cut off.
        public let finishedAt: Date?
    }

    /// The latest renewals that ran by themselves, the last one last; for support.
    public var runs: [Run] {
        let date = { (moment: Moment) in Date(moment.timestamp) }
        return shelf.runs.map {
            Run(
                occasion: $0.occasion, askedAt: date($0.askedAt), ranAt: $0.ranAt.map(date),
                finishedAt: $0.finishedAt.map(date))
        }
    }

    /// Does what waits; answers the server's no that nothing but another token, program or server cures.
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
        // Nobody answered about it once, and nothing is due about it: nothing waits.
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

    /// Keeps a run in place of the same one as it was before, and the latest of all. One that cannot be kept is no loss.
    private func note(_ run: RenewalRun) {
        let others = shelf.runs.filter {
            $0.occasion != run.occasion || $0.askedAt != run.askedAt || $0.finishedAt != nil
        }
        try? commit([.note(.runs(Array((others + [run]).suffix(RenewalRun.most))))])
    }

    /// Whether anything waits for the network: use to report, a license to give back or to renew, a play that was wanted,
    /// a token that is past half its life.
    /// What the server said no to, a token that has ended for example, waits for no network.
    public var waitsForNetwork: Bool {
        guard !recovery.isStuck else { return false }
        return recovery.wants || shelf.job != nil || !shelf.owed.isEmpty || shelf.wish != nil
            || shelf.fates.values.contains(where: \.isWaiting) || isTokenAging
            // What is being played now is reported when it ends.
            || plays.isEmpty && shelf.licenses.values.contains { !$0.unreported(at: $0.grant.issuedAt).isEmpty }
    }

    /// Whether the token is known to be past half its life, and its successor is to be asked for.
    private var isTokenAging: Bool {
        guard let token = shelf.token, token.halfLife != nil else { return false }
        return token.isSuccessorDue(at: moment().now)
    }

    /// Waits for the network for as long as the task runs: while anything waits, the server is asked for the time, after
    /// random pauses that double from 2 s to 5 min; once it tells, what waits is done, once.
    ///
    /// A portal's page, a redirect and an answer to another question are no network.
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

    /// The system thinks that there is a network again. That proves nothing: the server is asked after 0 to 10 s.
    public func networkMayBeBack() async {
        guard waitsForNetwork, !isHinted else { return }
        isHinted = true
        try? await clocks.sleep(.milliseconds(Int(clocks.random(NetworkRecovery.hintPause) * 1_000)))
        isHinted = false
        await recover()
    }

    /// Asks whether the server is there, and does what waited.
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

    /// Notes that something waits for the network, unless waiting does not mend why it was not reached.
    func wantNetwork(_ unreached: Unreached? = nil) {
        guard unreached?.cause.isMendedByWaiting ?? true else { return }
        recovery.want()
        wake()
    }

    /// Lets whoever waits for something to be wanted look again.
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
    /// Whether it may be otherwise later, by itself; what it says of a content that nobody could tell about.
    var isMendedByWaiting: Bool {
        KeptFate(outcome: "transient", reasons: [self], at: .init(.init(seconds: 0))).isWaiting
    }
}
