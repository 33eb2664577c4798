import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// How many links and sessions an operator ended.
struct EndedLinks: Sendable {
    let links: Int
    let sessions: Int

    static let document = Document<EndedLinks>(
        nil,
        [
            .integer("links", "How many unused links it ended.") { Int64($0.links) },
            .integer("sessions", "How many sessions it ended.") { Int64($0.sessions) },
        ])
}

extension LicensingContext {
    /// Lists the links and sessions of a license's page that haven't ended or expired, oldest first.
    func workingLicenseLinks(of license: LicenseID) async throws(ServerError) -> [LicenseCredential] {
        let now = clock.now()
        let plan = Self.linksPlan
        return try await store.fetch(plan.bind(license))[plan.queries.credentials]
            .filter { $0.works(at: now) }
    }

    /// Ends the links and sessions of a license's page; durable before this returns.
    ///
    /// Returns `nil` if the license doesn't exist. If all of them have ended or expired, nothing changes. Throws
    /// ``ServerError``.
    func endLicenseLinks(of license: LicenseID, by actor: Actor) async throws(ServerError) -> EndedLinks? {
        let now = clock.now()
        let plan = Self.linksPlan
        return try await store.perform(
            Transaction(plan.bind(license)) { results -> TransactionResult<EndedLinks?> in
                guard let license = results[plan.queries.license] else { return TransactionResult(nil) }
                let working = results[plan.queries.credentials].filter { $0.works(at: now) }
                let links = working.count { $0.kind == .link }
                let ended = EndedLinks(links: links, sessions: working.count - links)
                guard !working.isEmpty else { return TransactionResult(ended) }
                let event = Event(
                    .licenseLinksEnded, at: now, actor: actor, about: license.subject,
                    facts: [
                        .init("links", .number(Int64(ended.links))),
                        .init("sessions", .number(Int64(ended.sessions))),
                    ])
                return TransactionResult(
                    ended, working.map { .replace($0, by: $0.ended(at: now)) } + [.event(event)])
            })
    }

    private static let linksPlan = QueryPlan(for: LicenseID.self) { query in
        (
            license: query.row(License.table.key) { [.of($0)] },
            credentials: query.rows(LicenseCredential.ofLicense, upTo: .everything) { [.of($0)] }
        )
    }
}

extension LicenseCredential {
    /// The reference that the page shows and events contain; it grants no access.
    var reference: String { SupportReference(of: hash).description }

    static let document = Document<LicenseCredential>(
        "LicenseLinkOrSession",
        [
            .text("reference", "The reference that a session's page shows and its events contain. It grants no access.")
            {
                $0.reference
            },
            .choice("kind", "A link that hasn't been used, or a session that was opened with one.") { $0.kind },
            .dateTime("createdAt") { $0.createdAt }, .dateTime("expiresAt") { $0.expiresAt },
        ])
}
