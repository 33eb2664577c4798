/// What becomes of downloads that Tenure does not know and cannot adopt.
public enum UnknownDownloads: String, Sendable, Hashable, CaseIterable {
    /// They are left to the limits that they have.
    case leave
    /// They expire by force.
    case expire
}

/// What a device asks through Kollus, with all that a transaction sees of it.
public struct KollusCase: Sendable {
    /// The item.
    public let item: KollusItem
    /// The same question as the law has it.
    public let ask: ContentRequest
    /// All licenses of the holder for the content on the device.
    public let known: [ContentLicense]
    /// The enrolments of the holder that cover the content or did.
    public let offers: [EnrolmentOffer]
    /// What becomes of what is not known.
    public let unknown: UnknownDownloads

    /// Puts a case together.
    public init(
        _ item: KollusItem, _ ask: ContentRequest, known: [ContentLicense], offers: [EnrolmentOffer],
        unknown: UnknownDownloads = .leave
    ) {
        self.item = item
        self.ask = ask
        self.known = known
        self.offers = offers
        self.unknown = unknown
    }

    /// Decides on an item: the answer, and what is to be saved of it.
    public func decide(at now: Timestamp) -> (KollusAnswer, ContentConsequences) {
        switch item.kind {
        case .download: download(at: now)
        case .complete: complete(at: now)
        case .check: check(at: now)
        }
    }

    /// The license that the device has: the one that is active, else the newest.
    private var license: ContentLicense? {
        known.first { $0.state == .active } ?? known.max { $0.present.issuedAt < $1.present.issuedAt }
    }

    /// A download asks for a license. One that is held already is renewed when it is over, and when its enrolment or
    /// policy would let it end later by now.
    private func download(at now: Timestamp) -> (KollusAnswer, ContentConsequences) {
        var given = ContentLicense.issue(ask, known: known, offers: offers, at: now)
        if given.outcome == .unchanged, let held = given.license, let before = known.first(where: { $0.id == held.id })
        {
            let isNeeded = held.isReset || held.isOver(at: now)
            if isNeeded || held.couldEndLater(under: offers, at: now) {
                // Renewed as it was before it moved to another enrolment: a renewal moves it and takes the place there.
                let renewed = before.renew(renewal(of: before), offers: offers, at: now)
                if isNeeded || renewed.outcome == .renewed { given = renewed }
            }
        }
        guard let terms = given.grant?.terms else { return no(given) }
        let saved = given.license.map { reporting($0, isExpired: false, given.consequences, at: now) }
        var answer = KollusAnswer(item, result: true)
        answer.limits = KollusAnswer.Limits(terms)
        answer.basis = terms.playTimeBasis
        answer.asksBefore = terms.askBeforeRenew
        answer.needsOnline = terms.onlineRequired
        return (answer, saved ?? given.consequences)
    }

    /// A completion is entered. It is never refused but where the license was revoked: a no force-expires the download.
    private func complete(at now: Timestamp) -> (KollusAnswer, ContentConsequences) {
        var answer = KollusAnswer(item, result: license?.stop != .revoked)
        answer.isDeleted = license?.stop == .deleted
        answer.checkInBy = checkIn(license, at: now)
        answer.reason = answer.result && answer.isDeleted == false ? nil : license?.stop.map { .contentStopped($0) }
        guard var license, license.stop == nil, license.downloadedAt == nil else { return (answer, .none) }
        license.downloadedAt = now
        return (
            answer,
            ContentConsequences(
                licenses: [license], events: [license.event(.contentDownloaded, by: .device, at: now)])
        )
    }

    /// A check is answered by what the license is, in this order: deleted, stopped,
    /// unknown, asked for, not asked for.
    private func check(at now: Timestamp) -> (KollusAnswer, ContentConsequences) {
        if let license { return check(license, at: now) }
        let adopted = ContentLicense.issue(ask, known: known, offers: offers, at: now)
        if let license = adopted.license {
            guard item.asksForReset else { return (yes(license, at: now), adopted.consequences) }
            return (reset(license, at: now), adopted.consequences)
        }
        var answer = KollusAnswer(item, result: true)
        if unknown == .expire { answer.isExpired = true }
        return (answer, .none)
    }

    private func check(_ license: ContentLicense, at now: Timestamp) -> (KollusAnswer, ContentConsequences) {
        var answer = KollusAnswer(item, result: true)
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

    /// Records whether the player holds the download expired, if that has changed.
    private func reporting(
        _ license: ContentLicense, isExpired: Bool, _ saved: ContentConsequences, at now: Timestamp
    ) -> ContentConsequences {
        guard (license.playerExpiredAt != nil) != isExpired else { return saved }
        var (license, saved) = (license, saved)
        license.playerExpiredAt = isExpired ? now : nil
        saved.licenses = saved.licenses.filter { $0.id != license.id } + [license]
        return saved
    }

    private func renewal(of license: ContentLicense) -> ContentRenewal {
        ContentRenewal(version: license.version, isAlways: true, request: ask.request)
    }

    private func yes(_ license: ContentLicense, at now: Timestamp) -> KollusAnswer {
        var answer = KollusAnswer(item, result: true)
        answer.checkInBy = checkIn(license, at: now)
        answer.needsOnline = license.present.terms.onlineRequired
        return answer
    }

    /// New limits, and what expired is opened again. Kollus reports no use, so with `carry` its counts go on by
    /// themselves, and the date alone is said.
    private func reset(_ license: ContentLicense, at now: Timestamp) -> KollusAnswer {
        var answer = yes(license, at: now)
        let terms = license.present.terms
        answer.limits = KollusAnswer.Limits(terms, dateAlone: terms.ledger == .carry && license.version > 1)
        answer.isReset = true
        return answer
    }

    private func no(_ given: ContentAnswer) -> (KollusAnswer, ContentConsequences) {
        var answer = KollusAnswer(item, result: false)
        answer.reason = given.reasons.first
        return (answer, given.consequences)
    }

    /// The check-in that a yes sets: as the policy has it from now, while the enrolment is open; else as it was.
    private func checkIn(_ license: ContentLicense?, at now: Timestamp) -> Int64 {
        guard let license else { return 0 }
        let offer = offers.open(at: now).first { $0.enrolment.id == license.enrolment }
        guard let days = offer?.policy?.checkInDays else {
            return offer == nil ? license.present.terms.checkInBy.map { KollusAnswer.date($0) } ?? 0 : 0
        }
        return KollusAnswer.date(now.adding(days: days))
    }
}

extension KollusAnswer {
    /// What is answered while the store, or the time, is not to be had. Nil where no answer is the best one: for checks
    /// alone, a server error leaves them to what the device has.
    ///
    /// A download is told to try again, for silence shows as an error that nobody can read. A completion is a yes, for
    /// anything else force-expires it; the caller keeps it, to enter it later.
    /// - Parameter busy: What a person is told.
    public static func withoutStore(_ items: [KollusItem], busy: String = "") -> [KollusAnswer]? {
        let answers = items.compactMap { item -> KollusAnswer? in
            switch item.kind {
            case .check: return nil
            case .download:
                var answer = KollusAnswer(item, result: false)
                answer.message = busy
                return answer
            case .complete:
                var answer = KollusAnswer(item, result: true)
                answer.isDeleted = false
                answer.checkInBy = 0
                return answer
            }
        }
        return answers.isEmpty ? nil : answers
    }
}
