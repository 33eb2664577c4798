import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension LicensingContext {
    /// The result of a request for the full text of a key.
    enum KeyDisclosure: Sendable {
        case shown(LicenseKeyText, License)
        /// The product's keys may not be shown (``Product/showsKeys``).
        case notAllowed
        /// The key is random, or can't be computed with this master key.
        case keyNotKept
        case unknownLicense
    }

    /// Computes the full text of a license's key, and records that it was read.
    ///
    /// The event is durable before this returns. Throws ``ServerError``.
    func showKey(of id: LicenseID, by actor: Actor) async throws(ServerError) -> KeyDisclosure {
        let now = clock.now()
        return try await catalog.perform(Self.plan.bind(id)) {
            (results, queries, snapshot) -> TransactionResult<KeyDisclosure> in
            guard let license = results[queries.license] else { return TransactionResult(.unknownLicense) }
            guard snapshot.catalog[license.product]?.showsKeys ?? false else { return TransactionResult(.notAllowed) }
            guard let text = try KeyRoots(results[queries.roots], under: snapshot.master).text(of: license) else {
                return TransactionResult(.keyNotKept)
            }
            let event = Event(
                .licenseKeyShown, at: now, actor: actor, about: license.subject,
                facts: [.init("key", .text(license.key.masked))])
            return TransactionResult(.shown(text, license), [.event(event)])
        }
    }

    private static let plan = CatalogQueryPlan(for: LicenseID.self) { query in
        let license = query.row(License.table.key) { [.of($0)] }
        return (
            license: license, roots: query.rows(KeyRoot.ofTenant, upTo: .everything, .column("tenant", of: license))
        )
    }
}
