package import TenureCore
package import TenureLicensing
package import TenureServerKit
package import TenureStore

extension LicenseCredential.Kind: PageCredentialKind {}

extension LicenseCredential: PageCredential {
    package init(sessionOf owner: License, hash: Digest, createdAt: Timestamp, expiresAt: Timestamp) {
        self.init(hash: hash, license: owner.id, kind: .session, createdAt: createdAt, expiresAt: expiresAt)
    }

    package static let withOwner = QueryPlan(for: Digest.self) { query in
        let credential = query.licenseCredential { $0 }
        let license = query.row(License.table.key, .column("license_id", of: credential))
        return PageCredentialQueries(credential) { _, results in results[license] }
    }

    package static let sessionEvents = SessionEvents(opened: .licenseSessionOpened, closed: .licenseSessionClosed)
}

extension License: PageOwner {
    package typealias Credential = LicenseCredential

    package var tenant: TenantID { product.tenant }
    package var whose: PageFrame.Whose { .license(key.masked) }
    package var limitName: String { id.description }

    package func event(_ kind: EventKind, at now: Timestamp, _ facts: [Reason.Evidence]) -> Event {
        Event(kind, at: now, actor: .holder, about: subject, facts: facts)
    }
}
