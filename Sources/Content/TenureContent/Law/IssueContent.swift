public import TenureCore

/// A device's request for a content license, which the server has authenticated.
public struct ContentRequest: Sendable, Hashable {
    /// The tenant that owns the content.
    public let tenant: TenantID
    /// The vendor's id for the person who sends the request.
    public let holder: String
    /// The digest of the id of the requesting device.
    public let device: Digest
    /// The content item to license.
    public let content: ContentID
    /// The id of the request, which the resulting grant repeats.
    public let request: String
    /// The id to use if a new license is created; chosen by the server.
    public let newID: ContentLicenseID

    /// Creates a request with these values, which must be authenticated already.
    public init(
        tenant: TenantID, holder: String, device: Digest, content: ContentID, request: String,
        newID: ContentLicenseID
    ) {
        self.tenant = tenant
        self.holder = holder
        self.device = device
        self.content = content
        self.request = request
        self.newID = newID
    }
}

extension ContentRequest {
    /// The prefix of request ids that the server makes for Kollus's player, which sends none.
    public static let kollusPrefix = "kollus-"
}

extension ContentLicense {
    /// Decides whether a device gets a license for a content item.
    ///
    /// An active license is returned unchanged. If its enrolment no longer allows licenses, it moves to another one of
    /// the holder. Under an enrolment whose license was revoked, ended or deleted, no new license is issued. Another
    /// enrolment of the holder can give one.
    ///
    /// - Parameters:
    ///   - existing: All licenses of the holder for the item on the device.
    ///   - offers: The holder's enrolments that cover the item or used to.
    public static func issue(
        _ request: ContentRequest, existing: [ContentLicense], offers: [Enrolment.Offer], at now: Timestamp
    ) -> ContentAnswer {
        if let active = existing.first(where: { $0.state == .active }) {
            let isClosed =
                offers.first { $0.enrolment.id == active.enrolment }.map { $0.obstacle(at: now) != nil } ?? true
            guard isClosed, let (moved, saved) = active.moving(among: offers, .none, by: .device, at: now) else {
                return active.answer(.unchanged)
            }
            return moved.answer(.unchanged, [], saved)
        }
        var full: [Reason] = []
        for (offer, policy) in possible(existing, offers, at: now) {
            switch offer.devices.add(request.device, under: policy, at: now) {
            case .refused(let refusal): full += refusal.reasons
            case .granted(let added): return first(request, offer, policy, added, at: now)
            }
        }
        let reasons = full.isEmpty ? obstacles(existing, offers, at: now) : full
        return ContentAnswer(outcome: .refused, license: nil, reasons: reasons, consequences: .none)
    }

    /// Returns the terms that a new license would have, for use with another license server.
    ///
    /// Nothing is changed, and no device becomes active.
    public static func terms(
        existing: [ContentLicense], offers: [Enrolment.Offer], at now: Timestamp
    ) -> Decision<(terms: ContentTerms, policy: ContentPolicy)> {
        guard let (offer, policy) = possible(existing, offers, at: now).first else {
            return .refused(Refusal(obstacles(existing, offers, at: now)) ?? Refusal(.enrolmentUnknown))
        }
        return .granted((ContentTerms(under: policy, until: offer.enrolment.endsAt, at: now), policy))
    }

    /// Returns the enrolments that allow a license and under which no license was stopped, the longest-lasting first.
    private static func possible(
        _ existing: [ContentLicense], _ offers: [Enrolment.Offer], at now: Timestamp
    ) -> [(Enrolment.Offer, ContentPolicy)] {
        let barred = Set(existing.filter { $0.stop != nil && $0.state != .returned }.map(\.enrolment))
        return offers.open(at: now).compactMap { offer in
            guard !barred.contains(offer.enrolment.id) else { return nil }
            return offer.policy.map { (offer, $0) }
        }
    }

    /// Why no enrolment allows a license: stopped licenses first, then closed enrolments, or else `enrolment_unknown`.
    private static func obstacles(
        _ existing: [ContentLicense], _ offers: [Enrolment.Offer], at now: Timestamp
    ) -> [Reason] {
        let offered = Set(offers.filter { $0.policy != nil }.map(\.enrolment.id))
        var reasons: [Reason] = existing.filter { $0.state != .returned && offered.contains($0.enrolment) }
            .compactMap { $0.stop.map { .contentStopped($0) } }
        reasons += offers.filter { $0.policy != nil }.compactMap { $0.enrolment.obstacle(at: now) }
        return reasons.isEmpty ? [.enrolmentUnknown] : reasons
    }

    private static func first(
        _ request: ContentRequest, _ offer: Enrolment.Offer, _ policy: ContentPolicy, _ added: AddedDevice,
        at now: Timestamp
    ) -> ContentAnswer {
        let terms = ContentTerms(under: policy, until: offer.enrolment.endsAt, at: now)
        let grant = ContentGrant(
            tenant: request.tenant, license: request.newID, enrolment: offer.enrolment.id, content: request.content,
            device: request.device, request: request.request, version: 1, issuedAt: now, terms: terms, settled: 0)
        let license = ContentLicense(
            id: request.newID, holder: request.holder, enrolment: offer.enrolment.id, present: grant, countsFrom: 1,
            lastSeenAt: now)
        var saved = offer.isNew ? offer.enrolment.added(by: .device, at: now) : .none
        saved.licenses = [license]
        saved.add(added, to: offer.enrolment, at: now)
        saved.events.append(license.event(.contentLicensed, by: .device, at: now))
        return license.answer(.renewed, [], saved)
    }

    /// Moves the license to another enrolment: the longest-lasting one that allows licenses and whose device limit
    /// allows the device. Returns `nil` if there isn't one.
    func moving(
        among offers: [Enrolment.Offer], _ saved: ContentLicense.Consequences, by actor: Actor, at now: Timestamp
    ) -> (ContentLicense, ContentLicense.Consequences)? {
        for offer in offers.open(at: now) where offer.enrolment.id != enrolment {
            guard let policy = offer.policy,
                let added = offer.devices.add(present.device, under: policy, at: now).outcome
            else { continue }
            var (license, saved) = (self, saved)
            license.enrolment = offer.enrolment.id
            saved.licenses = [license]
            saved.add(added, to: offer.enrolment, at: now)
            if let own = offers.first(where: { $0.enrolment.id == enrolment }), !own.isShared {
                saved.devices += own.devices.devices.filter { $0.device == present.device && $0.state == .active }
                    .map { $0.returned(reach) }
            }
            let facts: [Reason.Evidence] = [.init("previousEnrolment", .text(enrolment.description))]
            saved.events.append(license.event(.contentMoved, by: actor, at: now, facts))
            return (license, saved)
        }
        return nil
    }
}

extension ContentLicense.Consequences {
    fileprivate mutating func add(_ added: AddedDevice, to enrolment: Enrolment, at now: Timestamp) {
        devices += added.devices
        changes += added.changes
        for device in added.replaced {
            let until = device.until.map { Reason.Evidence.Value.date($0) } ?? .text("never")
            events.append(enrolment.event(.deviceReplacedEarly, by: .device, at: now, [.init("countsUntil", until)]))
        }
    }
}
