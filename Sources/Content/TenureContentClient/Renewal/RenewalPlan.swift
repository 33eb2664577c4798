import TenureClient
import TenureContent
import TenureCore

/// Selection, order and prediction of renewals, computed from the stored state alone.
extension LedgerContents {
    /// The items of a scope in the order of their requests.
    ///
    /// Items that aren't playable come first; among them, the most recently played come first. Playable items follow,
    /// those that end soonest first.
    func plan(_ scope: RenewalScope, at moment: ContentStatus.Moment) -> [ContentID] {
        if case .items(let names) = scope {
            var seen: Set<String> = []
            return names.filter { seen.insert($0).inserted }.compactMap { ContentID($0) }
        }
        // Licenses that are waiting to be returned aren't renewed.
        let kept = holding.filter { !isOwed($0.value) }
        let standings = kept.keys.map { ($0, standing(of: $0, at: moment)) }
        let wanted = standings.filter { content, standing in isWanted(content, standing, scope, moment) }
        return wanted.sorted { isSooner($0, $1) }.map(\.0)
    }

    private func standing(of content: ContentID, at moment: ContentStatus.Moment) -> ContentStatus.Evaluation? {
        self[content].map { $0.grant.status(of: $0.ledger, at: moment) }
    }

    private func isWanted(
        _ content: ContentID, _ standing: ContentStatus.Evaluation?, _ scope: RenewalScope,
        _ moment: ContentStatus.Moment
    ) -> Bool {
        guard let standing else { return false }
        switch scope {
        case .all, .items: return true
        case .expired: return !standing.status.isPlayable
        case .due(let seconds):
            if standing.isDue || !standing.status.isPlayable { return true }
            let later = moment.now.adding(seconds: Int64(clamping: Int(min(max(0, seconds), 1e12))))
            return self.standing(of: content, at: moment.moved(to: later))?.isDue ?? false
        case .neededThrough(let date):
            return lapse(of: content, before: Timestamp(date), at: moment) != nil
        }
    }

    private func isSooner(
        _ one: (ContentID, ContentStatus.Evaluation?), _ other: (ContentID, ContentStatus.Evaluation?)
    ) -> Bool {
        let plays = { (standing: ContentStatus.Evaluation?) in standing?.status.isPlayable ?? false }
        if plays(one.1) != plays(other.1) { return !plays(one.1) }
        if !plays(one.1) {
            let played = { (content: ContentID) in contents[content]?.playedAt ?? Timestamp(seconds: .min) }
            if played(one.0) != played(other.0) { return played(one.0) > played(other.0) }
        }
        let end = { (standing: ContentStatus.Evaluation?) in standing?.reach.moment ?? Timestamp(seconds: .max) }
        return (end(one.1), one.0) < (end(other.1), other.0)
    }

    /// The first time before `end` when an item isn't playable, with the reasons; `nil` if it stays playable.
    ///
    /// Plays before `end` aren't predicted.
    func lapse(of content: ContentID, before end: Timestamp, at moment: ContentStatus.Moment) -> (
        at: Timestamp, [Reason]
    )? {
        guard let kept = self[content] else { return nil }
        var moment = moment
        while true {
            let standing = kept.grant.status(of: kept.ledger, at: moment)
            if !standing.status.isPlayable { return (moment.now, standing.reasons) }
            guard let next = standing.nextChangeAt, next > moment.now, next < end else { return nil }
            moment = moment.moved(to: next)
        }
    }

    /// When the next automatic renewal of an item is due, at the earliest now.
    ///
    /// Returns `nil` if none will be due, if it is known to be refused, or if the user must agree.
    func due(_ content: ContentID, at moment: ContentStatus.Moment) -> Timestamp? {
        guard let kept = self[content], !isOwed(kept.grant.license), !kept.asksFirst else { return nil }
        var moment = moment
        while true {
            let standing = kept.grant.status(of: kept.ledger, at: moment)
            if standing.isDue {
                return refusal(of: content, at: moment.now).isEmpty ? moment.now : nil
            }
            guard let next = standing.nextChangeAt, next > moment.now else { return nil }
            moment = moment.moved(to: next)
        }
    }

    /// The reasons for a refusal that is already known, from the grant's terms, a stop or the last response; empty if
    /// there isn't one.
    func refusal(of content: ContentID, at now: Timestamp) -> [Reason] {
        guard let kept = self[content] else { return [Reason(.contentNotKept)] }
        let stopped = kept.grant.status(of: kept.ledger, at: ContentStatus.Moment(now)).reasons
        if kept.ledger.stop != nil { return Array(stopped.prefix(1)) }
        if let end = kept.grant.terms.renewUntil, now >= end {
            return [Reason(.renewalOver, evidence: [.init("renewUntil", .date(end))])]
        }
        guard let fate = fates[content.text], ["refused", "terminal"].contains(fate.outcome) else { return [] }
        return fate.reasons.map { Reason($0) }
    }
}

extension ContentStatus.Moment {
    /// A later time on the same device, if no request is sent in between.
    func moved(to now: Timestamp) -> ContentStatus.Moment {
        /// A later time on the same device, if no request is sent in between.
        ContentStatus.Moment(now, isSetBack: isSetBack, signedAt: signedAt)
    }
}
