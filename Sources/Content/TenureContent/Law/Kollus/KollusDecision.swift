public import TenureCore

extension KollusCase {
    /// What to do with a download of which Tenure has no record and which it can't adopt.
    public enum UnknownDownloads: String, Sendable, Hashable, CaseIterable {
        /// The download keeps playing within the limits that it already has.
        case leave
        /// The response makes the player force-expire the download.
        case expire
    }
}

/// An item of a Kollus callback, with everything that was read for its transaction.
public struct KollusCase: Sendable {
    /// The request as Kollus's player sent it.
    public let item: KollusItem
    /// The request of ``item`` in the form that ``ContentLicense`` decides on.
    public let request: ContentRequest
    /// All licenses of the holder for the content on the device.
    public let existing: [ContentLicense]
    /// The holder's enrolments that cover the content or used to.
    public let offers: [Enrolment.Offer]
    /// How to treat the item if it's a download that Tenure can't adopt.
    public let unknown: KollusCase.UnknownDownloads

    /// Creates a case with these values, which aren't checked.
    public init(
        _ item: KollusItem, _ request: ContentRequest, existing: [ContentLicense], offers: [Enrolment.Offer],
        unknown: KollusCase.UnknownDownloads = .leave
    ) {
        self.item = item
        self.request = request
        self.existing = existing
        self.offers = offers
        self.unknown = unknown
    }

    /// Decides on the item and returns the response and the changes to save.
    public func decide(at now: Timestamp) -> (KollusItem.Answer, ContentLicense.Consequences) {
        switch item.kind {
        case .download: download(at: now)
        case .complete: complete(at: now)
        case .check: check(at: now)
        }
    }

    /// The holder's license for the item on the device: the active one, or else the one with the grant that was issued
    /// last; `nil` if there is none.
    private var license: ContentLicense? {
        existing.first { $0.state == .active } ?? existing.max { $0.present.issuedAt < $1.present.issuedAt }
    }

    /// Decides on a download, which requests a license.
    ///
    /// An existing license is renewed if it has ended, or if its enrolment or policy now allows a later end.
    private func download(at now: Timestamp) -> (KollusItem.Answer, ContentLicense.Consequences) {
        var given = ContentLicense.issue(request, existing: existing, offers: offers, at: now)
        if given.outcome == .unchanged, let active = given.license,
            let before = existing.first(where: { $0.id == active.id })
        {
            let isNeeded = active.isReset || active.isOver(at: now)
            if isNeeded || active.couldEndLater(under: offers, at: now) {
                // Renew the license as it was before it moved to another enrolment: a renewal moves it itself and
                // counts the device again.
                let renewed = before.renew(renewal(of: before), offers: offers, at: now)
                if isNeeded || renewed.outcome == .renewed { given = renewed }
            }
        }
        guard let terms = given.grant?.terms else { return no(given) }
        let saved = given.license.map { reporting($0, isExpired: false, given.consequences, at: now) }
        var answer = KollusItem.Answer(item, result: true)
        answer.limits = KollusItem.Answer.Limits(terms)
        answer.basis = terms.playTimeBasis
        answer.asksBefore = terms.askBeforeRenew
        answer.needsOnline = terms.onlineRequired
        return (answer, saved ?? given.consequences)
    }

    /// Records a completed download.
    ///
    /// The response is a failure only if the license was revoked, because a failure makes the player force-expire the
    /// download.
    private func complete(at now: Timestamp) -> (KollusItem.Answer, ContentLicense.Consequences) {
        var answer = KollusItem.Answer(item, result: license?.stop != .revoked)
        answer.isDeleted = license?.stop == .deleted
        answer.checkInBy = checkIn(license, at: now)
        answer.reason = answer.result && answer.isDeleted == false ? nil : license?.stop.map { .contentStopped($0) }
        guard var license, license.stop == nil, license.downloadedAt == nil else { return (answer, .none) }
        license.downloadedAt = now
        return (
            answer,
            ContentLicense.Consequences(
                licenses: [license], events: [license.event(.contentDownloaded, by: .device, at: now)])
        )
    }

    /// Decides on a check.
    ///
    /// Unknown downloads and stopped licenses are handled first, then checks that ask for a renewal.
    private func check(at now: Timestamp) -> (KollusItem.Answer, ContentLicense.Consequences) {
        if let license { return check(license, at: now) }
        let adopted = ContentLicense.issue(request, existing: existing, offers: offers, at: now)
        if let license = adopted.license {
            guard item.asksForReset else { return (yes(license, at: now), adopted.consequences) }
            return (reset(license, at: now), adopted.consequences)
        }
        var answer = KollusItem.Answer(item, result: true)
        if unknown == .expire { answer.isExpired = true }
        return (answer, .none)
    }

    private func check(_ license: ContentLicense, at now: Timestamp) -> (KollusItem.Answer, ContentLicense.Consequences)
    {
        var answer = KollusItem.Answer(item, result: true)
        switch license.stop {
        case .deleted:
            answer.isDeleted = true
            answer.reason = .contentStopped(.deleted)
            return (answer, .none)
        case .revoked, .expired, .returned, .released:
            answer.isExpired = true
            return (answer, .none)
        case nil: break
        }
        guard item.asksForReset || license.isReset else {
            return (yes(license, at: now), reporting(license, isExpired: false, .none, at: now))
        }
        let renewed = license.renew(renewal(of: license), offers: offers, at: now)
        if renewed.outcome == .renewed, let license = renewed.license {
            return (reset(license, at: now), renewed.consequences)
        }
        let saved = reporting(
            renewed.license ?? license, isExpired: item.isForceExpired || item.isCheckOverdue, renewed.consequences,
            at: now)
        return (item.isForceExpired ? no(renewed).0 : answer, saved)
    }

    /// Records whether the player reports the download as expired, if that has changed.
    private func reporting(
        _ license: ContentLicense, isExpired: Bool, _ saved: ContentLicense.Consequences, at now: Timestamp
    ) -> ContentLicense.Consequences {
        guard (license.playerExpiredAt != nil) != isExpired else { return saved }
        var (license, saved) = (license, saved)
        license.playerExpiredAt = isExpired ? now : nil
        saved.licenses = saved.licenses.filter { $0.id != license.id } + [license]
        return saved
    }

    private func renewal(of license: ContentLicense) -> ContentRenewal {
        ContentRenewal(version: license.version, isAlways: true, request: request.request)
    }

    private func yes(_ license: ContentLicense, at now: Timestamp) -> KollusItem.Answer {
        var answer = KollusItem.Answer(item, result: true)
        answer.checkInBy = checkIn(license, at: now)
        answer.needsOnline = license.present.terms.onlineRequired
        return answer
    }

    /// Returns a response with new limits that makes an expired download playable again.
    ///
    /// Kollus doesn't report use. For a renewal with `carry`, only the date is sent, so that the player keeps its own
    /// counts.
    private func reset(_ license: ContentLicense, at now: Timestamp) -> KollusItem.Answer {
        var answer = yes(license, at: now)
        let terms = license.present.terms
        answer.limits = KollusItem.Answer.Limits(terms, dateAlone: terms.ledger == .carry && license.version > 1)
        answer.isReset = true
        return answer
    }

    private func no(_ given: ContentAnswer) -> (KollusItem.Answer, ContentLicense.Consequences) {
        var answer = KollusItem.Answer(item, result: false)
        answer.reason = given.reasons.first
        return (answer, given.consequences)
    }

    /// Returns the check-in date for a successful response; 0 if there isn't one.
    ///
    /// The period until the check-in starts now if the enrolment allows renewals. Otherwise, the date stays as granted.
    private func checkIn(_ license: ContentLicense?, at now: Timestamp) -> Int64 {
        guard let license else { return 0 }
        let offer = offers.open(at: now).first { $0.enrolment.id == license.enrolment }
        guard let days = offer?.policy?.checkInDays else {
            return offer == nil ? license.present.terms.checkInBy.map { KollusItem.Answer.date($0) } ?? 0 : 0
        }
        return KollusItem.Answer.date(now.adding(days: days))
    }
}

extension KollusItem.Answer {
    /// Returns the responses to send while the store or the clock isn't available.
    ///
    /// The result is `nil` if only checks were sent: after a server error, the player uses the limits that it has. A
    /// download is refused with a message to try again, because players show a missing response as a cryptic error. A
    /// completion succeeds, because a failure would force-expire the download. The caller must record the completion
    /// later.
    ///
    /// - Parameter busy: The message for the user.
    public static func withoutStore(_ items: [KollusItem], busy: String = "") -> [KollusItem.Answer]? {
        let answers = items.compactMap { item -> KollusItem.Answer? in
            switch item.kind {
            case .check: return nil
            case .download:
                var answer = KollusItem.Answer(item, result: false)
                answer.message = busy
                return answer
            case .complete:
                var answer = KollusItem.Answer(item, result: true)
                answer.isDeleted = false
                answer.checkInBy = 0
                return answer
            }
        }
        return answers.isEmpty ? nil : answers
    }
}
