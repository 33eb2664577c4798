package import TenureCore
package import TenureServerKit
import TenureStore

/// Enrols holders.
package struct AddEnrolment: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock
    let randomness: Randomness

    /// Enrols under a catalog, by a clock.
    package init(catalog: CatalogCache, clock: any WallClock, randomness: Randomness = .system) {
        self.catalog = catalog
        self.clock = clock
        self.randomness = randomness
    }

    /// Whom to enrol in what.
    package struct Order: Sendable {
        /// Whom; opaque text.
        package let holder: String
        /// In what.
        package let scope: Enrolment.Scope
        /// The policy of its licenses; nil for the course's, or the content's.
        package let policy: ContentPolicyID?
        /// The first moment it holds; nil for at once.
        package let startsAt: Timestamp?
        /// The first moment it no longer does; nil for no end.
        package let endsAt: Timestamp?
        /// What the vendor calls it; nil for nothing.
        package let reference: String?

        /// States an order.
        package init(
            holder: String, scope: Enrolment.Scope, policy: ContentPolicyID? = nil, startsAt: Timestamp? = nil,
            endsAt: Timestamp? = nil, reference: String? = nil
        ) {
            self.holder = holder
            self.scope = scope
            self.policy = policy
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.reference = reference
        }
    }

    /// What came of it.
    package enum Outcome: Sendable {
        /// It is so now; whether there was none before, and whether this call changed anything.
        case done(CountedEnrolment, isNew: Bool, changed: Bool)
        /// The law refuses: the reference is another's.
        case refused(Refusal)
        /// The tenant does not offer that.
        case notOffered(NotOffered)
    }

    /// What a tenant does not offer.
    package enum NotOffered: Sendable {
        /// Anything to be kept offline.
        case contents
        /// The course.
        case course(CourseID)
        /// The content.
        case content(ContentID)
        /// The policy.
        case policy(ContentPolicyID)
    }

    /// Decides and saves in one transaction; durable before this returns. The same again under one reference changes
    /// nothing. Throws ``ServerError``.
    package func callAsFunction(
        _ order: Order, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> Outcome {
        guard case .done(let outcome) = try await once(nil, order, of: tenant, by: actor, remembering: { _ in nil })
        else { return .notOffered(.contents) }
        return outcome
    }

    /// The same for a request that may be sent again.
    func once(
        _ request: RepeatableRequest?, _ order: Order, of tenant: TenantID, by actor: Actor,
        remembering: @escaping @Sendable (Outcome) -> [UInt8]?
    ) async throws(ServerError) -> Once<Outcome> {
        let now = clock.now()
        var random = randomness.generator()
        let row = Enrolment(
            id: .random(using: &random), tenant: tenant, holder: order.holder, scope: order.scope,
            policy: order.policy, startsAt: order.startsAt, endsAt: order.endsAt, reference: order.reference,
            madeAt: now)
        let asked = Self.form.asked(
            request, .of(tenant), .of(order.reference), lists: [[.of(tenant), .of(order.holder)]])
        return try await catalog.performOnce(request, at: now, asked, remembering: remembering) {
            seen, looks, snapshot in
            if let missing = snapshot.catalog.tenants[tenant].notOffered(order) { return Saving(.notOffered(missing)) }
            let known = order.reference == nil ? nil : seen[looks.known]
            switch Enrolment.importing(row, over: known, by: actor, at: now) {
            case .refused(let refusal): return Saving(.refused(refusal))
            case .granted(let consequences):
                let after = consequences.enrolment ?? known ?? row
                let counted = CountedEnrolment(
                    after, places: seen[looks.places], snapshot.catalog.tenants[tenant]?.contents, at: now)
                var saves = consequences.events.map(Save.event)
                if let enrolment = consequences.enrolment { saves.insert(.put(enrolment, over: known), at: 0) }
                return Saving(.done(counted, isNew: known == nil, changed: !saves.isEmpty), saves)
            }
        }
    }

    private static let form = RepeatableForm { ask in
        ask.hold(Guard.holder)
        let known = ask.row(Enrolment.byReference)
        return (
            known: known,
            places: ask.each(EnrolmentPlace.ofEnrolment, upTo: Asking.everything, .column("id", of: known))
        )
    }
}

extension Tenant? {
    fileprivate func notOffered(_ order: AddEnrolment.Order) -> AddEnrolment.NotOffered? {
        guard let contents = self?.contents else { return .contents }
        switch order.scope {
        case .course(let course) where contents.courses[course] == nil: return .course(course)
        case .content(let content) where contents.items[content] == nil: return .content(content)
        case .course, .content: break
        }
        if let policy = order.policy, contents.policies[policy] == nil { return .policy(policy) }
        return nil
    }
}

extension CountedEnrolment {
    /// Counts an enrolment's places.
    init(_ enrolment: Enrolment, places: [EnrolmentPlace], _ contents: ContentCatalog?, at now: Timestamp) {
        self.init(
            enrolment: enrolment,
            devices: places.count { $0.enrolment == enrolment.id && $0.counts(at: now) },
            deviceLimit: contents?.deviceLimit(of: enrolment))
    }
}

extension ContentCatalog {
    /// On how many devices an enrolment's contents may be: by its policy, else the course's, else the strictest of its
    /// contents'; nil for any number.
    fileprivate func deviceLimit(of enrolment: Enrolment) -> Int? {
        switch enrolment.scope {
        case .content(let content): return policy(of: content, under: enrolment)?.deviceLimit
        case .course(let course):
            if let named = enrolment.policy ?? courses[course]?.policy { return policies[named]?.deviceLimit }
            let ids = Set((courses[course]?.items ?? []).compactMap { items[$0]?.policy })
            return ids.compactMap { policies[$0]?.deviceLimit }.min()
        }
    }
}
