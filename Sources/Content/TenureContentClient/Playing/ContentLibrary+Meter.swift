import TenureContent
import TenureClient
import TenureCore
import TenureVault

/// Metering of running plays (`Documentation/metering.md`).
extension ContentLibrary {
    /// Records rendered media and returns whether the play may continue.
    func advance(_ license: ContentLicenseID, rendered: Int64) -> PlayContinuation {
        guard var meter = plays[license], let kept = shelf.licenses[license] else {
            return .stops(Explanation(Reason(.playEnded)))
        }
        meter.show(rendered: rendered, at: clocks.millis())
        plays[license] = meter
        let left = kept.ledger.secondsLeft(of: kept.grant.terms).map { $0 * 1_000 }
        if meter.isDue(left: left, basis: kept.grant.terms.playTimeBasis) {
            if let problem = flush(license), meter.wall > RunningMeter.mostUnwritten {
                return stop(license, [problem])
            }
        }
        return goOn(license)
    }

    /// Whether the play may continue now.
    ///
    /// Also sends the events that warn of the end.
    private func goOn(_ license: ContentLicenseID) -> PlayContinuation {
        guard var meter = plays[license], let kept = shelf.licenses[license] else {
            return .stops(Explanation(Reason(.playEnded)))
        }
        let moment = moment()
        if case .stops(let refusal) = kept.grant.goingOn(of: kept.ledger, at: moment) {
            return stop(license, refusal.reasons)
        }
        guard let (left, whole) = kept.grant.secondsToStop(kept.ledger, at: moment.now),
            let warning = RunningMeter.warnings(of: whole).first(where: { left <= $0 }), warning < meter.warned
        else { return .goesOn }
        meter.warned = warning
        meter.events.yield(.endsSoon(seconds: Int(left)))
        if !meter.isRenewing {
            meter.isRenewing = true
            if !kept.asksFirst { renewBehind(meter.content) }
        }
        plays[license] = meter
        return .goesOn
    }

    private func stop(_ license: ContentLicenseID, _ reasons: [Reason]) -> PlayContinuation {
        let first = reasons.first ?? Reason(.playEnded)
        let explanation = Explanation(first, Array(reasons.dropFirst()))
        end(license, because: explanation)
        return .stops(explanation)
    }

    /// Writes the use since the last beat; returns an error reason if that fails.
    ///
    /// Nothing is written before the first frame is shown.
    @discardableResult
    func flush(_ license: ContentLicenseID) -> Reason? {
        guard let meter = plays[license], meter.isShown else { return nil }
        if let problem = goOnUnderNewest(license) { return problem }
        guard let kept = shelf.licenses[license] else { return nil }
        var ledger = kept.ledger
        ledger.beat(wall: meter.wall, rendered: meter.rendered, under: kept.grant, at: moment().now)
        do throws(VaultError) {
            if ledger != kept.ledger {
                try commit([ledger.entry(of: license, after: kept.ledger, known: kept.known)])
            }
        } catch {
            return .unwritable(error)
        }
        plays[license]?.write(into: ledger)
        return nil
    }

    /// Continues each play under its license's newest version, without counting another play.
    ///
    /// It does so at once, because a pause may outlast the time within which a play can be resumed. A play without a
    /// license ends.
    func goOnPlaying() {
        for license in plays.keys {
            if shelf.licenses[license] == nil { end(license, because: nil) } else { goOnUnderNewest(license) }
        }
    }

    /// Opens a new session if the license was renewed during the play; returns the reason if that fails.
    @discardableResult
    private func goOnUnderNewest(_ license: ContentLicenseID) -> Reason? {
        guard let meter = plays[license], let kept = shelf.licenses[license],
            kept.ledger.sessions.last?.version != kept.grant.version
        else { return nil }
        let moment = moment()
        var ledger: ContentLedger
        switch kept.ledger.opening(.random(), under: kept.grant, at: moment) {
        case .refused(let refusal): return refusal.first
        case .granted(let opened): ledger = opened
        }
        if meter.isHeld { ledger.pause(at: moment.now) }
        do throws(VaultError) {
            try commit([ledger.entry(of: license, after: kept.ledger, known: kept.known)])
        } catch {
            return .unwritable(error)
        }
        plays[license]?.renew()
        return nil
    }

    func pause(_ license: ContentLicenseID) {
        // A play that is paused before its first frame costs nothing.
        if plays[license]?.isShown == true {
            _ = advance(license, rendered: 0)
            flush(license)
        }
        plays[license]?.hold()
        change(license) { $0.pause(at: $1) }
    }

    func resume(_ license: ContentLicenseID) -> PlayContinuation {
        change(license) { $0.resume(at: $1) }
        plays[license]?.goOn(at: clocks.millis())
        return goOn(license)
    }

    func end(_ license: ContentLicenseID, because explanation: Explanation?) {
        guard let meter = plays[license] else { return }
        if meter.isShown {
            if explanation == nil { plays[license]?.show(rendered: 0, at: clocks.millis()) }
            flush(license)
        }
        plays[license] = nil
        change(license) { $0.rest(at: $1) }
        meter.events.yield(.stopped(explanation ?? Explanation(Reason(.playEnded))))
        meter.events.finish()
        // Wakes the network watcher, so that the use of this play is reported.
        wake()
    }

    /// Writes a change to a play's session.
    ///
    /// If that fails, the next start closes the session as after a crash.
    private func change(_ license: ContentLicenseID, _ act: (inout ContentLedger, Timestamp) -> Void) {
        guard let kept = shelf.licenses[license] else { return }
        var ledger = kept.ledger
        act(&ledger, moment().now)
        guard ledger != kept.ledger else { return }
        try? commit([ledger.entry(of: license, after: kept.ledger, known: kept.known)])
    }
}
