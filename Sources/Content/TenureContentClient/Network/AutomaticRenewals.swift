import TenureClient
import TenureContent
import TenureCore

/// Renewals that the library starts itself: in the foreground, in the background, and when the network is back.
final class AutomaticRenewals {
    private let server: ServerSync
    private let renewals: RenewalRunner
    private let consent: ConsentPrompt
    private let clocks: ContentClocks
    private var store: LicenseStore { server.store }
    private var network: NetworkRecovery { server.network }
    /// When the last foreground run started; `nil` if the next one should run at once.
    private var lastLook: ClockReading?
    private var isRecovering = false
    private var isHinted = false

    init(_ server: ServerSync, _ renewals: RenewalRunner, _ consent: ConsentPrompt, clocks: ContentClocks) {
        self.server = server
        self.renewals = renewals
        self.consent = consent
        self.clocks = clocks
    }

    /// The minimum interval between two foreground runs, in seconds.
    private static let lookInterval: Int64 = 15 * 60

    nonisolated(nonsending) func runInForeground() async {
        let reading = clocks.device.read()
        if let last = lastLook, let passed = reading.seconds(since: last), passed < Self.lookInterval { return }
        lastLook = reading
        await run("foreground", requestedAt: store.now, .askedUnlessDeclined)
    }

    func backgroundAsked() { note(RenewalRun("background", askedAt: Moment(store.now))) }

    nonisolated(nonsending) func runInBackground() async {
        let lastRequest = store.ledgerContents.runs.last { $0.occasion == "background" && $0.ranAt == nil }?.askedAt
            .timestamp
        await run("background", requestedAt: lastRequest ?? store.now, .none)
        // Resets the interval, so that the next foreground run asks the user at once.
        if !consent.awaiting(at: store.instant()).isEmpty { lastLook = nil }
    }

    var nextRunAt: Timestamp? {
        let (instant, ledgerContents) = (store.instant(), store.ledgerContents)
        if waitsForNetwork { return instant.now }
        let due =
            ledgerContents.holding.keys.compactMap { ledgerContents.due($0, at: instant) }
            + [ledgerContents.token?.halfLife].compactMap(\.self)
        return due.min().map { max($0, instant.now) }
    }

    /// Reports use, returns licenses and renews what is due.
    ///
    /// - Returns: A refusal that only a different token, app version or server can resolve; otherwise `nil`.
    @discardableResult
    nonisolated(nonsending) private func run(
        _ occasion: String, requestedAt: Timestamp, _ consent: RenewalConsent
    ) async -> ToldReason? {
        server.service.keys.lookAnew()
        var run = RenewalRun(occasion, askedAt: Moment(requestedAt))
        run.ranAt = Moment(store.now)
        note(run)
        // Without the server's time, it's unknown whether a renewal or a new token is due.
        var problem = store.instant().isSetBack ? await server.checkIn() : nil
        problem = await server.reportUse() ?? problem
        problem = await server.giveBackOwed() ?? problem
        await renewals.goOnWithCutOff(consent)
        await renewals.renew(.due(within: 0), consent)
        if !network.wants { problem = await server.keepSignedIn() ?? problem }
        // A transient failure is cleared if nothing is due for its item any more.
        let idle = store.ledgerContents.fates.filter { name, fate in fate.outcome == "transient" && !isDue(name) }.keys
            .sorted()
        try? store.commit(idle.map { .note(.fate($0, nil)) })
        run.finishedAt = Moment(store.now)
        note(run)
        let no = problem.flatMap { $0.isMendedByWaiting ? nil : $0 }
        if no == nil { network.goOn() }
        return no
    }

    private func isDue(_ name: String) -> Bool {
        guard let stored = ContentID(name).flatMap({ store.ledgerContents[$0] }) else { return false }
        let evaluation = stored.grant.status(of: stored.ledger, at: store.instant())
        return evaluation.isDue || !evaluation.status.isPlayable
    }

    /// Stores a run, replacing its earlier record, and drops the oldest runs.
    ///
    /// A failed write is ignored.
    private func note(_ run: RenewalRun) {
        let others = store.ledgerContents.runs.filter {
            $0.occasion != run.occasion || $0.askedAt != run.askedAt || $0.finishedAt != nil
        }
        try? store.commit([.note(.runs(Array((others + [run]).suffix(RenewalRun.most))))])
    }

    var waitsForNetwork: Bool {
        guard !network.isStuck else { return false }
        let ledgerContents = store.ledgerContents
        return network.wants || ledgerContents.job != nil || !ledgerContents.owed.isEmpty
            || ledgerContents.requestedContent != nil
            || ledgerContents.fates.values.contains(where: \.isWaiting) || isTokenAging
            // A play in progress is reported when it ends.
            || server.plays.isEmpty
                && ledgerContents.licenses.values.contains { !$0.unreported(at: $0.grant.issuedAt).isEmpty }
    }

    /// Whether the token is past half its known lifetime and may be replaced now.
    private var isTokenAging: Bool {
        guard let token = store.ledgerContents.token, token.halfLife != nil else { return false }
        return token.isSuccessorDue(at: store.now)
    }

    nonisolated(nonsending) func watchNetwork() async {
        while !Task.isCancelled {
            if waitsForNetwork {
                await sleep(upTo: network.most)
                guard !Task.isCancelled else { return }
                await recover()
            } else {
                await network.pause()
            }
        }
    }

    nonisolated(nonsending) func networkMayBeBack() async {
        guard waitsForNetwork, !isHinted else { return }
        isHinted = true
        await sleep(upTo: NetworkRecovery.hintPause)
        isHinted = false
        await recover()
    }

    nonisolated(nonsending) private func sleep(upTo most: Double) async {
        try? await clocks.sleep(.milliseconds(Int(clocks.random(most) * 1_000)))
    }

    /// Checks whether the server responds, and then does the pending work.
    nonisolated(nonsending) private func recover() async {
        guard waitsForNetwork, !isRecovering else { return }
        isRecovering = true
        defer { isRecovering = false }
        if let problem = await server.checkIn(anyway: true) {
            return problem.isMendedByWaiting ? network.failed() : network.stop()
        }
        network.answered()
        let no = await run("recovery", requestedAt: store.now, .askedUnlessDeclined)
        if store.ledgerContents.requestedContent != nil, !network.wants {
            try? store.commit([.note(.requestedContent(nil))])
        }
        if !waitsForNetwork { network.done() } else if no != nil { network.stop() } else { network.failed() }
    }
}

extension ToldReason {
    /// Whether waiting can resolve the problem, without any action of the user or the vendor.
    var isMendedByWaiting: Bool {
        KeptFate(outcome: "transient", reasons: [self], at: .init(.init(seconds: 0))).isWaiting
    }
}
