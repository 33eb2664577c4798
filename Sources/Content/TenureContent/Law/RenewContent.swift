public import TenureCore

/// A device's request to renew a content license.
public struct ContentRenewal: Sendable, Hashable {
    /// The version of the device's grant, as the device reports it.
    public let version: Int64
    /// Whether to renew even if no renewal is due.
    public let isAlways: Bool
    /// The device's grant, if it was sent and its signature is valid.
    public let grant: ContentGrant?
    /// The id of the request, which the new version repeats.
    public let request: String

    /// Creates a request with these values; the grant must be verified already.
    public init(version: Int64, isAlways: Bool, grant: ContentGrant? = nil, request: String) {
        self.version = version
        self.isAlways = isAlways
        self.grant = grant
        self.request = request
    }
}

extension ContentLicense {
    /// Decides on a renewal, after the use reported with it has been settled.
    ///
    /// The steps are:
    /// - A stopped license is refused for good.
    /// - A device with an older version gets the current grant, unless that has ended.
    /// - A device with a newer version must have sent its signed grant.
    /// - The enrolment must allow renewals, or the license moves to another enrolment.
    /// - A renewal must be due, unless the request asks for one in any case.
    /// - The policy must allow a renewal; then the version grows by 1.
    ///
    /// Therefore, two requests to renew the same version create only one new version.
    ///
    /// A device that names an older version after the current grant has ended never received that grant, so it gets a
    /// new version. One such version for each license doesn't count towards `maxRenewals`.
    ///
    /// - Parameters:
    ///   - offers: The holder's enrolments that cover the item or used to, including the license's own.
    ///   - ahead: The reported sessions of versions after the current one.
    public func renew(
        _ request: ContentRenewal, offers: [Enrolment.Offer], ahead: [SessionReport] = [], at now: Timestamp
    ) -> ContentAnswer {
        if let stop { return answer(.terminal, [.contentStopped(stop)]) }
        guard request.version > version else {
            let license = confirmed(by: request)
            let isBehind = request.version < version && !isOver(at: now)
            return isBehind ? license.answer(.renewed) : license.renewPresent(request, offers, .none, at: now)
        }
        guard let grant = request.grant, grant.version == request.version, isOwn(grant) else {
            return answer(.refused, [.grantNeeded(request.version, present: version)])
        }
        let facts: [Reason.Evidence] = [
            .init("previousVersion", .number(version)), .init("version", .number(grant.version)),
        ]
        let recovered = recovering(grant, ahead: ahead)
        let saved = ContentLicense.Consequences(
            licenses: [recovered], events: [event(.contentRecovered, by: .device, at: now, facts)])
        return recovered.renewPresent(request, offers, saved, at: now)
    }

    /// Returns the license with the versions that the renewal names marked as confirmed.
    private func confirmed(by request: ContentRenewal) -> ContentLicense {
        var license = self
        license.confirmed = max(confirmed, request.version)
        if let grant = request.grant, grant.version <= version, isOwn(grant) {
            license.confirmed = max(license.confirmed, grant.version)
        }
        return license
    }

    /// Returns the license with its current version excluded from the count of renewals.
    ///
    /// That happens only if the device never received that version and none was excluded before.
    private func uncounting(_ request: ContentRenewal) -> ContentLicense {
        // Version 1 isn't a renewal, so there is nothing to exclude.
        guard request.version < version, confirmed < version, uncounted == nil, version > 1 else { return self }
        var license = self
        license.uncounted = version
        return license
    }

    private func isOwn(_ grant: ContentGrant) -> Bool {
        grant.license == id && grant.tenant == present.tenant && grant.content == present.content
            && grant.device == present.device
    }

    private func renewPresent(
        _ request: ContentRenewal, _ offers: [Enrolment.Offer], _ saved: ContentLicense.Consequences,
        at now: Timestamp
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
        if !request.isAlways, !license.isDue(at: now) { return license.answer(.unchanged, [], saved) }
        let counted = license.uncounting(request)
        let reasons = counted.obstacles(under: policy, at: now)
        if !reasons.isEmpty { return license.answer(.refused, reasons, saved) }
        let terms = ContentTerms(under: policy, until: offer.enrolment.endsAt, at: now)
        let renewed = counted.versioned(terms, request: request.request, at: now)
        saved.licenses = [renewed]
        let facts: [Reason.Evidence] = [
            .init("version", .number(renewed.version)),
            .init("expiresAt", terms.expiresAt.map { .date($0) } ?? .text("never")),
            .init("ledger", .text(terms.ledger.rawValue)),
        ]
        saved.events.append(renewed.event(.contentRenewed, by: .device, at: now, facts))
        return renewed.answer(.renewed, [], saved)
    }

    /// Why the policy doesn't allow a new version; empty if it does.
    ///
    /// With `carry`, used-up limits are obstacles, too, because earlier use keeps counting.
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
        if let hours = policy.windowAfterFirstPlayHours,
            let end = firstPlayAt?.adding(seconds: Int64(hours) * 3_600), now >= end
        {
            reasons.append(.playWindowOver(end, under: .carry))
        }
        if let plays = policy.grantedPlays, used.plays >= plays {
            reasons.append(.playsUsedUp(used.plays, of: plays))
        }
        if let seconds = policy.grantedPlaySeconds.map(Int64.init), used.playSeconds >= seconds {
            reasons.append(.playTimeUsedUp(used.playSeconds, of: seconds))
        }
        return reasons
    }

    /// Returns the license with the next version, which has these terms.
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
        _ outcome: ContentAnswer.Outcome, _ reasons: [Reason] = [], _ consequences: ContentLicense.Consequences = .none
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
            .renewalOver, message: "This content has been renewed \(renewals) times, which is the limit.",
            evidence: [Evidence("renewals", .number(renewals)), Evidence("maxRenewals", .number(Int64(most)))])
    }

    fileprivate static func renewalTooLate(_ end: Timestamp, until last: Timestamp) -> Reason {
        Reason(
            .renewalOver, message: "This content could be renewed until \(last).",
            evidence: [Evidence("expiredAt", .date(end)), Evidence("renewUntil", .date(last))])
    }
}
