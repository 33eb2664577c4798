import TenureClient
import TenureContent
import TenureCore

/// Selection, order and prediction of renewals, computed from the stored state alone.
extension LedgerContents {
    /// The items of a scope in the order of their requests.
    ///
    /// A scope that lists its items keeps their order. In other scopes, items that aren't playable come first; among
    /// them, the most recently played come first. Playable items follow, those that end soonest first.
    func plan(_ scope: RenewalScope, at instant: ContentStatus.Moment) -> [ContentID] {
        if case .items(let names) = scope {
            var seen: Set<String> = []
            return names.filter { seen.insert($0).inserted }.compactMap { ContentID($0) }
        }
        // Licenses that are waiting to be returned aren't renewed.
        let licenses = holding.filter { !isOwed($0.value) }
        let standings = licenses.keys.map { ($0, evaluation(of: $0, at: instant)) }
        let due = standings.filter { content, evaluation in isWanted(content, evaluation, scope, instant) }
        return due.sorted { isSooner($0, $1) }.map(\.0)
    }

    private func evaluation(of content: ContentID, at instant: ContentStatus.Moment) -> ContentStatus.Evaluation? {
        self[content].map { $0.grant.status(of: $0.ledger, at: instant) }
    }

    private func isWanted(
        _ content: ContentID, _ evaluation: ContentStatus.Evaluation?, _ scope: RenewalScope,
        _ instant: ContentStatus.Moment
    ) -> Bool {
        guard let evaluation else { return false }
        switch scope {
        case .all, .items: return true
        case .expired: return !evaluation.status.isPlayable
        case .due(let seconds):
            if evaluation.isDue || !evaluation.status.isPlayable { return true }
            let later = instant.now.adding(seconds: Int64(clamping: Int(min(max(0, seconds), 1e12))))
            return self.evaluation(of: content, at: instant.moved(to: later))?.isDue ?? false
        case .neededThrough(let date):
            return lapse(of: content, before: Timestamp(date), at: instant) != nil
        }
    }

    private func isSooner(
        _ one: (ContentID, ContentStatus.Evaluation?), _ other: (ContentID, ContentStatus.Evaluation?)
    ) -> Bool {
        let plays = { (evaluation: ContentStatus.Evaluation?) in evaluation?.status.isPlayable ?? false }
        if plays(one.1) != plays(other.1) { return !plays(one.1) }
        if !plays(one.1) {
            let played = { (content: ContentID) in contents[content]?.playedAt ?? Timestamp(seconds: .min) }
            if played(one.0) != played(other.0) { return played(one.0) > played(other.0) }
        }
        let end = { (evaluation: ContentStatus.Evaluation?) in evaluation?.reach.end ?? Timestamp(seconds: .max) }
        return (end(one.1), one.0) < (end(other.1), other.0)
    }

    /// The first time before `end` when an item isn't playable, with the reasons; `nil` if it stays playable.
    ///
    /// Plays before `end` aren't predicted.
    func lapse(of content: ContentID, before end: Timestamp, at instant: ContentStatus.Moment) -> (
        at: Timestamp, [Reason]
    )? {
        guard let stored = self[content] else { return nil }
        var instant = instant
        while true {
            let evaluation = stored.grant.status(of: stored.ledger, at: instant)
            if !evaluation.status.isPlayable { return (instant.now, evaluation.reasons) }
            guard let next = evaluation.nextChangeAt, next > instant.now, next < end else { return nil }
            instant = instant.moved(to: next)
        }
    }

    /// When the next automatic renewal of an item is due, at the earliest now.
    ///
    /// Returns `nil` if none will be due, if a refusal is expected, or if the user must agree.
    func due(_ content: ContentID, at instant: ContentStatus.Moment) -> Timestamp? {
        guard let stored = self[content], !isOwed(stored.grant.license), !stored.asksFirst else { return nil }
        var instant = instant
        while true {
            let evaluation = stored.grant.status(of: stored.ledger, at: instant)
            if evaluation.isDue {
                return refusal(of: content, at: instant.now).isEmpty ? instant.now : nil
            }
            guard let next = evaluation.nextChangeAt, next > instant.now else { return nil }
            instant = instant.moved(to: next)
        }
    }

    /// The reasons for an expected refusal, which follows from the grant's terms, a stop or the last response; empty if
    /// there isn't one.
    func refusal(of content: ContentID, at now: Timestamp) -> [Reason] {
        guard let stored = self[content] else { return [Reason(.contentNotKept)] }
        let stopped = stored.grant.status(of: stored.ledger, at: ContentStatus.Moment(now)).reasons
        if stored.ledger.stop != nil { return Array(stopped.prefix(1)) }
        if let end = stored.grant.terms.renewUntil, now >= end {
            return [Reason(.renewalOver, evidence: [.init("renewUntil", .date(end))])]
        }
        guard let fate = fates[content.text], ["refused", "terminal"].contains(fate.outcome) else { return [] }
        return fate.reasons.map { Reason($0) }
    }
}

extension ContentStatus.Moment {
    /// The device's trusted time at a later date, provided that no request is sent in between.
    func moved(to now: Timestamp) -> ContentStatus.Moment {
        ContentStatus.Moment(now, isSetBack: isSetBack, signedAt: signedAt)
    }
}
