/// What a device asks about one license.
public struct ContentRenewal: Sendable, Hashable {
    /// The version that it has.
    public let version: Int64
    /// Whether it asks even if the license is not due.
    public let isAlways: Bool
    /// The verified grant that it has, if it sent it.
    public let grant: ContentGrant?
    /// The request's name.
    public let request: String

    /// Puts a question together.
    public init(version: Int64, isAlways: Bool, grant: ContentGrant? = nil, request: String) {
        self.version = version
        self.isAlways = isAlways
        self.grant = grant
        self.request = request
    }
}

extension ContentLicense {
    /// Decides on a renewal, after the usage that came with it was settled.
    ///
    /// In this order: what was stopped says so; an older version gets the present grant while that plays, a newer one
    /// needs its signed grant; then the enrolment, whether it is due, the policy; then the version is one more. So two
    /// renewals of one version make one new version.
    ///
    /// A device that names an older version after the present grant ended never received that grant: it gets a new
    /// version. One version for each license that the device never named doesn't count towards `maxRenewals`.
    /// - Parameters:
    ///   - offers: The enrolments of the holder that cover the content or did, its own among them.
    ///   - ahead: The sessions that are known of versions after the present one.
    public func renew(
        _ ask: ContentRenewal, offers: [EnrolmentOffer], ahead: [SessionReport] = [], at now: Timestamp
    ) -> ContentAnswer {
        if let stop { return answer(.terminal, [.contentStopped(stop)]) }
        guard ask.version > version else {
            let license = confirmed(by: ask)
            let isBehind = ask.version < version && !isOver(at: now)
            return isBehind ? license.answer(.renewed) : license.renewPresent(ask, offers, .none, at: now)
        }
        guard let grant = ask.grant, grant.version == ask.version, isOwn(grant) else {
            return answer(.refused, [.grantNeeded(ask.version, present: version)])
        }
        let facts: [Reason.Evidence] = [
            .init("previousVersion", .number(version)), .init("version", .number(grant.version)),
        ]
        let recovered = recovering(grant, ahead: ahead)
        let saved = ContentConsequences(
            licenses: [recovered], events: [event(.contentRecovered, by: .device, at: now, facts)])
        return recovered.renewPresent(ask, offers, saved, at: now)
    }

    /// The license with the versions confirmed that a renewal names.
    private func confirmed(by ask: ContentRenewal) -> ContentLicense {
        var license = self
        license.confirmed = max(confirmed, ask.version)
        if let grant = ask.grant, grant.version <= version, isOwn(grant) {
            license.confirmed = max(license.confirmed, grant.version)
        }
        return license
    }

    /// The license with its present version left out of the renewals that count, if the device never received that one
    /// and none was left out before.
    private func uncounting(_ ask: ContentRenewal) -> ContentLicense {
        // Version 1 is no renewal, so there is nothing to leave out.
        guard ask.version < version, confirmed < version, uncounted == nil, version > 1 else { return self }
        var license = self
        license.uncounted = version
        return license
    }

    private func isOwn(_ grant: ContentGrant) -> Bool {
        grant.license == id && grant.tenant == present.tenant && grant.content == present.content
            && grant.device == present.device
    }

    private func renewPresent(
        _ ask: ContentRenewal, _ offers: [EnrolmentOffer], _ saved: ContentConsequences, at now: Timestamp
    ) -> ContentAnswer {
        var (license, saved) = (self, saved)
        if let obstacle = offers.first(where: { $0.enrolment.id == enrolment })?.obstacle(at: now)
            ?? (offers.contains { $0.enrolment.id == enrolment } ? nil : .enrolmentUnknown)
        {
            guard let moved = moving(among: offers, saved, by: .device, at: now) else {
                return answer(.refused, [obstacle], saved)
            }
            (license, saved) = moved
        }
        guard let offer = offers.first(where: { $0.enrolment.id == license.enrolment }), let policy = offer.policy
        else {
            return answer(.refused, [.enrolmentUnknown], saved)
        }
        if !ask.isAlways, !license.isDue(at: now) { return license.answer(.unchanged, [], saved) }
        let counted = license.uncounting(ask)
        let reasons = counted.obstacles(under: policy, at: now)
        if !reasons.isEmpty { return license.answer(.refused, reasons, saved) }
        let terms = ContentTerms(under: policy, until: offer.enrolment.endsAt, at: now)
        let renewed = counted.versioned(terms, request: ask.request, at: now)
        saved.licenses = [renewed]
        let facts: [Reason.Evidence] = [
            .init("version", .number(renewed.version)),
            .init("expiresAt", terms.expiresAt.map { .date($0) } ?? .text("never")),
            .init("ledger", .text(terms.ledger.rawValue)),
        ]
        saved.events.append(renewed.event(.contentRenewed, by: .device, at: now, facts))
        return renewed.answer(.renewed, [], saved)
    }

    /// What the policy says against a new version; with `carry`, what is used up stays so.
    private func obstacles(under policy: ContentPolicy, at now: Timestamp) -> [Reason] {
        if !policy.renewable { return [Reason(.notRenewable)] }
        var reasons: [Reason] = []
        if let most = policy.maxRenewals, renewals >= Int64(most) {
            reasons.append(.renewalsUsedUp(renewals, of: most))
        }
        if let end = present.terms.expiresAt, let days = policy.renewAfterExpiryDays, now >= end.adding(days: days),
            now >= end
        {
            reasons.append(.renewalTooLate(end, until: end.adding(days: days)))
        }
        guard policy.onRenewal == .carry else { return reasons }
        if let plays = policy.grantedPlays, used.plays >= plays {
            reasons.append(.playsUsedUp(used.plays, of: plays))
        }
        if let seconds = policy.grantedPlaySeconds.map(Int64.init), used.playSeconds >= seconds {
            reasons.append(.playTimeUsedUp(used.playSeconds, of: seconds))
        }
        return reasons
    }

    /// The license with one version more.
    private func versioned(_ terms: ContentTerms, request: String, at now: Timestamp) -> ContentLicense {
        var license = self
        license.present = ContentGrant(
            tenant: present.tenant, license: id, enrolment: enrolment, content: present.content,
            device: present.device, request: request, version: version + 1, issuedAt: now, terms: terms,
            settled: settled)
        license.isReset = false
        license.playerExpiredAt = nil
        if terms.ledger == .reset {
            license.countsFrom = license.version
            license.used = .none
            license.firstPlayAt = nil
        }
        return license
    }

    func answer(
        _ outcome: ContentAnswer.Outcome, _ reasons: [Reason] = [], _ consequences: ContentConsequences = .none
    ) -> ContentAnswer {
        ContentAnswer(outcome: outcome, license: self, reasons: reasons, consequences: consequences)
    }
}

extension Reason {
    fileprivate static func grantNeeded(_ version: Int64, present: Int64) -> Reason {
        Reason(
            .grantNeeded, evidence: [Evidence("version", .number(version)), Evidence("present", .number(present))])
    }

    fileprivate static func renewalsUsedUp(_ renewals: Int64, of most: Int) -> Reason {
        Reason(
            .renewalOver, message: "This content was renewed \(renewals) times, as often as it may be.",
            evidence: [Evidence("renewals", .number(renewals)), Evidence("maxRenewals", .number(Int64(most)))])
    }

    fileprivate static func renewalTooLate(_ end: Timestamp, until last: Timestamp) -> Reason {
        Reason(
            .renewalOver, message: "This content could be renewed until \(last).",
            evidence: [Evidence("expiredAt", .date(end)), Evidence("renewUntil", .date(last))])
    }
}
