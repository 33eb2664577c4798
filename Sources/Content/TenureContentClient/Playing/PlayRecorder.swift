import TenureClient
import TenureContent
import TenureCore

/// Records the use of running plays in the ledger (`Documentation/metering.md`).
final class PlayRecorder {
    private let store: LicenseStore
    private let network: NetworkRecovery
    private let millis: @Sendable () -> Int64
    private var plays: [ContentLicenseID: RunningMeter] = [:]
    private var ledgerContents: LedgerContents { store.ledgerContents }

    init(_ store: LicenseStore, _ network: NetworkRecovery, millis: @escaping @Sendable () -> Int64) {
        self.store = store
        self.network = network
        self.millis = millis
    }

    var isEmpty: Bool { plays.isEmpty }

    /// Starts recording a play whose session is in the ledger; returns its events.
    func begin(_ content: ContentID, _ license: ContentLicenseID) -> AsyncStream<PlayEvent> {
        let (events, teller) = AsyncStream<PlayEvent>.makeStream()
        plays[license] = RunningMeter(content, teller)
        return events
    }

    /// Records rendered media and returns whether the play may continue.
    func advance(_ license: ContentLicenseID, rendered: Int64) -> PlayContinuation {
        guard var meter = plays[license], let stored = ledgerContents.licenses[license] else {
            return .stops(Explanation(Reason(.playEnded)))
        }
        meter.show(rendered: rendered, at: millis())
        plays[license] = meter
        let left = stored.ledger.secondsLeft(of: stored.grant.terms).map { $0 * 1_000 }
        if meter.isDue(left: left, basis: stored.grant.terms.playTimeBasis) {
            if let problem = flush(license), meter.wall > RunningMeter.mostUnwritten {
                return stop(license, [problem])
            }
        }
        return goOn(license)
    }

    private func goOn(_ license: ContentLicenseID) -> PlayContinuation {
        guard plays[license] != nil, let stored = ledgerContents.licenses[license] else {
            return .stops(Explanation(Reason(.playEnded)))
        }
        if case .stops(let refusal) = stored.grant.goingOn(of: stored.ledger, at: store.instant()) {
            return stop(license, refusal.reasons)
        }
        return .goesOn
    }

    private func stop(_ license: ContentLicenseID, _ reasons: [Reason]) -> PlayContinuation {
        let explanation = Explanation(reasons) ?? Explanation(Reason(.playEnded))
        end(license, because: explanation)
        return .stops(explanation)
    }

    /// Sends the event that warns of the play's end, if it is due.
    ///
    /// - Returns: The item to renew during the play; `nil` if no warning is due, the renewal has started, or the user
    ///   must agree first.
    func warn(_ license: ContentLicenseID) -> ContentID? {
        guard var meter = plays[license], let stored = ledgerContents.licenses[license],
            let (left, whole) = stored.grant.secondsToStop(stored.ledger, at: store.now),
            let warning = RunningMeter.warnings(of: whole).first(where: { left <= $0 }), warning < meter.warned
        else { return nil }
        meter.warned = warning
        meter.events.yield(.endsSoon(seconds: Int(left)))
        let renews = !meter.isRenewing && !stored.asksFirst
        meter.isRenewing = true
        plays[license] = meter
        return renews ? meter.content : nil
    }

    /// Writes the use since the last write to the ledger. Returns the reason if the write fails, or `nil`.
    ///
    /// Nothing is written before the first frame is shown.
    @discardableResult
    func flush(_ license: ContentLicenseID) -> Reason? {
        guard let meter = plays[license], meter.isShown else { return nil }
        if let problem = goOnUnderNewest(license) { return problem }
        let problem = change(license) {
            $0.beat(wall: meter.wall, rendered: meter.rendered, under: $1, at: $2.time, ran: $2.ran)
        }
        if problem == nil, let ledger = ledgerContents.licenses[license]?.ledger { plays[license]?.write(into: ledger) }
        return problem
    }

    /// Continues each play under its license's newest version, without counting another play.
    ///
    /// The library calls this right after a renewal, because a pause may outlast the time within which a play can be
    /// resumed. A play whose license is gone ends.
    func goOnPlaying() {
        for license in plays.keys {
            if ledgerContents.licenses[license] == nil { end(license, because: nil) } else { goOnUnderNewest(license) }
        }
    }

    /// Continues a play in a new session if its license was renewed meanwhile. Returns the reason if that fails, or
    /// `nil`.
    @discardableResult
    private func goOnUnderNewest(_ license: ContentLicenseID) -> Reason? {
        guard let meter = plays[license], let stored = ledgerContents.licenses[license],
            stored.ledger.sessions.last?.version != stored.grant.version
        else { return nil }
        let instant = store.instant()
        var ledger: ContentLedger
        switch stored.ledger.opening(.random(), under: stored.grant, at: instant) {
        case .refused(let refusal): return refusal.first
        case .granted(let opened): ledger = opened
        }
        if meter.isHeld { ledger.pause(at: instant.now) }
        let problem = store.save([ledger.entry(of: license, after: stored.ledger, acknowledged: stored.acknowledged)])
        if let problem { return problem }
        plays[license]?.renew()
        return nil
    }

    /// Whether the first frame was shown.
    ///
    /// A play that is paused before its first frame costs nothing.
    func isShown(_ license: ContentLicenseID) -> Bool { plays[license]?.isShown ?? false }

    func pause(_ license: ContentLicenseID) {
        flush(license)
        plays[license]?.hold()
        change(license) { $0.pause(at: $2.time) }
    }

    func resume(_ license: ContentLicenseID) -> PlayContinuation {
        change(license) { $0.resume(at: $2.time) }
        plays[license]?.goOn(at: millis())
        return goOn(license)
    }

    func end(_ license: ContentLicenseID, because explanation: Explanation?) {
        guard let meter = plays[license] else { return }
        if meter.isShown {
            if explanation == nil { plays[license]?.show(rendered: 0, at: millis()) }
            flush(license)
        }
        plays[license] = nil
        change(license) { $0.rest(at: $2.time) }
        meter.events.yield(.stopped(explanation ?? Explanation(Reason(.playEnded))))
        meter.events.finish()
        // Wakes the network watcher, so that the use of this play is reported.
        network.wake()
    }

    /// Writes a change to a play's session. Returns the reason if the write fails, or `nil`.
    ///
    /// If it fails, the next start closes the session as after a crash.
    @discardableResult
    private func change(
        _ license: ContentLicenseID, _ act: (inout ContentLedger, ContentGrant, DeviceTime) -> Void
    ) -> Reason? {
        guard let stored = ledgerContents.licenses[license] else { return nil }
        var ledger = stored.ledger
        act(&ledger, stored.grant, store.present)
        guard ledger != stored.ledger else { return nil }
        let isBeat = ledger.firstPlay == stored.ledger.firstPlay && ledger.sessions.last?.state == .playing
        return store.save(
            [ledger.entry(of: license, after: stored.ledger, acknowledged: stored.acknowledged)], isTimed: !isBeat)
    }
}
