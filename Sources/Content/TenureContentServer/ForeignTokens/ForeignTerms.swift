import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// A content item with the terms of a hypothetical new license.
struct PermittedContent: Sendable {
    let item: ContentCatalog.Item
    let terms: ContentTerms
    let deviceLimit: Int?
}

extension ContentContext {
    /// Computes the terms of a hypothetical new license for each item, in the order of `contents`, with the current
    /// time and the tenant's settings for other license servers.
    ///
    /// No device becomes active, and nothing is saved. If any item isn't permitted, the decision is the first such
    /// refusal. Throws ``Failure`` for unknown items, and ``ServerError``.
    func foreignTerms(
        _ contents: [ContentID], for holder: String, at tenant: TenantID
    ) async throws -> (Decision<[PermittedContent]>, Timestamp, TenantTargets) {
        let (results, queries, snapshot) = try await catalog.fetch(
            Self.holderRecords.bind(.init(tenant: tenant, holder: holder)))
        let offered = try snapshot.contents(of: tenant)
        let now = clock.now()
        var random = randomness.generator()
        let newEnrolment = EnrolmentID.random(using: &random)
        var permitted: [PermittedContent] = []
        for content in contents {
            guard let item = offered.items[content] else { throw Failure.contentUnknown }
            var offers = results[queries.enrolments].map { enrolment in
                Enrolment.Offer(enrolment, policy: offered.policy(of: content, under: enrolment))
            }
            if offered.access == .open, offers.allSatisfy({ $0.policy == nil }) {
                let enrolment = Enrolment(
                    id: newEnrolment, tenant: tenant, holder: holder, scope: .content(content), madeAt: now)
                offers.append(
                    Enrolment.Offer(enrolment, policy: offered.policy(of: content, under: enrolment), isNew: true))
            }
            let licenses = results[queries.licenses].filter { $0.present.content == content }
            switch ContentLicense.terms(existing: Self.excludingLicenses(licenses), offers: offers, at: now) {
            case .refused(let refusal): return (.refused(refusal), now, snapshot.targets(of: tenant))
            case .granted(let (terms, policy)):
                permitted.append(PermittedContent(item: item, terms: terms, deviceLimit: policy.deviceLimit))
            }
        }
        return (.granted(permitted), now, snapshot.targets(of: tenant))
    }

    /// Returns the licenses that exclude an enrolment from tokens.
    ///
    /// A token isn't bound to a device. Therefore, an enrolment is excluded only if its licenses are stopped on every
    /// device.
    private static func excludingLicenses(_ licenses: [ContentLicense]) -> [ContentLicense] {
        Dictionary(grouping: licenses.filter { $0.state != .returned }, by: \.enrolment).values
            .filter { $0.allSatisfy { $0.stop != nil } }.flatMap(\.self)
    }

    private static let holderRecords = CatalogQueryPlan(for: HolderName.self) { query in
        (
            enrolments: query.rows(Enrolment.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] },
            licenses: query.rows(ContentLicense.ofHolder, upTo: 100_000) { [.of($0.tenant), .of($0.holder)] }
        )
    }
}
