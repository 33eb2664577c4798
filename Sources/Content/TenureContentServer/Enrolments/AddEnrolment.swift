package import TenureContent
package import TenureCore
package import TenureServerKit
import TenureStore

/// What to enrol: a holder, a course or content item, and optionally terms and a reference.
package struct EnrolmentOrder: Sendable {
    /// The holder's name; opaque text.
    let holder: String
    /// The course or content item.
    let scope: Enrolment.Scope
    /// The policy and the dates of the enrolment.
    let terms: Enrolment.Terms
    /// The vendor's reference; `nil` if there isn't one.
    let reference: String?

    package init(
        holder: String, scope: Enrolment.Scope, terms: Enrolment.Terms = Enrolment.Terms(), reference: String? = nil
    ) {
        self.holder = holder
        self.scope = scope
        self.terms = terms
        self.reference = reference
    }

    package enum Outcome: Sendable {
        /// The enrolment exists.
        ///
        /// The flags say whether it is new and whether this call changed anything.
        case done(CountedEnrolment, isNew: Bool, changed: Bool)
        /// The enrolment was refused, because an enrolment of another holder or for other content has the reference.
        case refused(Refusal)
        /// The order names an object that the tenant doesn't offer.
        case notOffered(NotOffered)
    }

    /// The object that a tenant doesn't offer.
    package enum NotOffered: Sendable {
        /// The tenant doesn't offer any content.
        case contents
        /// The tenant has no such course.
        case course(CourseID)
        /// The tenant has no such content item.
        case content(ContentID)
        /// The tenant has no such policy.
        case policy(ContentPolicyID)
    }
}

extension ContentContext {
    /// Enrols a holder in a course or a content item, or updates the enrolment.
    ///
    /// It happens in one transaction, which is durable before this returns. Repeating an order with the same reference
    /// changes nothing. Throws ``ServerError``.
    package func addEnrolment(
        _ order: EnrolmentOrder, of tenant: TenantID, by actor: Actor
    ) async throws(ServerError) -> EnrolmentOrder.Outcome {
        guard
            case .done(let outcome) = try await addEnrolmentOnce(
                nil, order, of: tenant, by: actor, remembering: { _ in nil })
        else { return .notOffered(.contents) }
        return outcome
    }

    /// Performs the order, or returns the stored response if the request was already performed.
    func addEnrolmentOnce(
        _ request: RepeatableRequest?, _ order: EnrolmentOrder, of tenant: TenantID, by actor: Actor,
        remembering: @escaping @Sendable (EnrolmentOrder.Outcome) -> RepeatableAnswer?
    ) async throws(ServerError) -> IdempotentOutcome<EnrolmentOrder.Outcome> {
        let now = clock.now()
        var random = randomness.generator()
        let row = Enrolment(
            id: .random(using: &random), tenant: tenant, holder: order.holder, scope: order.scope,
            terms: order.terms, reference: order.reference, madeAt: now)
        let bound = Self.enrolmentByReference.bind(
            request, .init(tenant: tenant, holder: order.holder, reference: order.reference))
        return try await catalog.performOnce(request, at: now, bound, remembering: remembering) {
            results, queries, snapshot in
            if let missing = snapshot.catalog.tenants[tenant].notOffered(order) {
                return TransactionResult(.notOffered(missing))
            }
            let existing = order.reference == nil ? nil : results[queries.known]
            switch Enrolment.importing(row, over: existing, by: actor, at: now) {
            case .refused(let refusal): return TransactionResult(.refused(refusal))
            case .granted(let consequences):
                let after = consequences.enrolment ?? existing ?? row
                let counted = CountedEnrolment(
                    after, devices: results[queries.devices], snapshot.catalog.tenants[tenant]?.contents, at: now)
                var saves = consequences.events.map(RowWrite.event)
                if let enrolment = consequences.enrolment { saves.insert(.put(enrolment, over: existing), at: 0) }
                return TransactionResult(.done(counted, isNew: existing == nil, changed: !saves.isEmpty), saves)
            }
        }
    }

    private static let enrolmentByReference = IdempotentQueryPlan(for: EnrolmentReference.self) { query in
        query.hold(QueryLock.holder) { [.of($0.tenant), .of($0.holder)] }
        let existing = query.row(Enrolment.byReference) { [.of($0.tenant), .of($0.reference)] }
        return (
            known: existing,
            devices: query.each(Enrolment.Device.ofEnrolment, upTo: .everything, .column("id", of: existing))
        )
    }
}

private struct EnrolmentReference: Sendable {
    let tenant: TenantID
    let holder: String
    let reference: String?
}

extension Tenant? {
    fileprivate func notOffered(_ order: EnrolmentOrder) -> EnrolmentOrder.NotOffered? {
        guard let contents = self?.contents else { return .contents }
        switch order.scope {
        case .course(let course) where contents.courses[course] == nil: return .course(course)
        case .content(let content) where contents.items[content] == nil: return .content(content)
        case .course, .content: break
        }
        if let policy = order.terms.policy, contents.policies[policy] == nil { return .policy(policy) }
        return nil
    }
}

extension CountedEnrolment {
    /// Creates the value by counting those of the devices that count against the enrolment's limit.
    init(_ enrolment: Enrolment, devices: [Enrolment.Device], _ contents: ContentCatalog?, at now: Timestamp) {
        self.init(
            enrolment: enrolment, status: enrolment.status(at: now),
            devices: devices.count { $0.enrolment == enrolment.id && $0.counts(at: now) },
            deviceLimit: contents?.deviceLimit(of: enrolment))
    }
}

extension ContentCatalog {
    /// The device limit of an enrolment; `nil` for no limit.
    ///
    /// It comes from the enrolment's policy, or else the course's, or else the strictest policy of the course's items.
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
