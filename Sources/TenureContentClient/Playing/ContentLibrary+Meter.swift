import TenureClient
import TenureCore

/// How a running play is metered and written down, beat by beat (`Documentation/metering.md`).
extension ContentLibrary {
    /// Takes in what was rendered, and tells whether the play may go on.
    func advance(_ license: ContentLicenseID, rendered: Int64) -> PlayContinuation {
        guard var meter = plays[license], let kept = shelf.licenses[license] else {
            return .stops(Explanation(Reason(.playEnded)))
        }
        let now = clocks.millis()
        if let since = meter.since { meter.wall += max(0, now - since) }
        meter.since = now
        meter.rendered += rendered
        plays[license] = meter
        let left = kept.ledger.secondsLeft(of: kept.grant.terms).map { $0 * 1_000 }
        if meter.isDue(left: left, basis: kept.grant.terms.playTimeBasis) {
            if let problem = flush(license), meter.wall > RunningMeter.mostUnwritten {
                return stop(license, [problem])
            }
        }
        return goOn(license)
    }

    /// Whether the play may go on at this moment; tells of an end that is near.
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
            renewBehind(meter.content)
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

    /// Writes down what was played since the last beat; answers why that could not be done.
    ///
    /// Where a renewal came in between, the play goes on under the new version, without counting again.
    @discardableResult
    func flush(_ license: ContentLicenseID) -> Reason? {
        guard var meter = plays[license], let kept = shelf.licenses[license] else { return nil }
        let moment = moment()
        var ledger = kept.ledger
        if ledger.sessions.last?.version != kept.grant.version {
            switch ledger.opening(.random(), under: kept.grant, at: moment) {
            case .refused(let refusal): return refusal.first
            case .granted(let opened): ledger = opened
            }
            meter.events.yield(.renewed)
            (meter.warned, meter.isRenewing) = (.max, false)
        }
        ledger.beat(wall: meter.wall, rendered: meter.rendered, under: kept.grant, at: moment.now)
        do throws(VaultError) {
            if ledger != kept.ledger {
                try commit([ledger.entry(of: license, after: kept.ledger, known: kept.known)])
            }
        } catch {
            return .unwritable(error)
        }
        (meter.wall, meter.rendered, meter.isShown) = (0, 0, true)
        plays[license] = meter
        return nil
    }

    func pause(_ license: ContentLicenseID) {
        _ = advance(license, rendered: 0)
        flush(license)
        plays[license]?.since = nil
        change(license) { $0.pause(at: $1) }
    }

    func resume(_ license: ContentLicenseID) -> PlayContinuation {
        change(license) { $0.resume(at: $1) }
        if plays[license]?.isShown == true { plays[license]?.since = clocks.millis() }
        return goOn(license)
    }

    func end(_ license: ContentLicenseID, because explanation: Explanation?) {
        guard let meter = plays[license] else { return }
        if meter.isShown {
            if explanation == nil, let since = meter.since {
                plays[license]?.wall += max(0, clocks.millis() - since)
            }
            flush(license)
        }
        plays[license] = nil
        change(license) { $0.rest(at: $1) }
        meter.events.yield(.stopped(explanation ?? Explanation(Reason(.playEnded))))
        meter.events.finish()
    }

    /// Writes a change of what a play does. Where that fails, the next start closes the play as after a fall.
    private func change(_ license: ContentLicenseID, _ act: (inout ContentLedger, Timestamp) -> Void) {
        guard let kept = shelf.licenses[license] else { return }
        var ledger = kept.ledger
        act(&ledger, moment().now)
        guard ledger != kept.ledger else { return }
        try? commit([ledger.entry(of: license, after: kept.ledger, known: kept.known)])
    }
}
