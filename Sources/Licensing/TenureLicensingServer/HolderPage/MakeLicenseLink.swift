public import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
public import TenureServerKit
import TenureStore

/// A link with the only copy of its text.
public struct HolderLink: Sendable {
    /// The stored record, without the text.
    public let credential: LicenseCredential
    /// The link's secret, 256 random bits in base64url; show it once.
    public let text: String
    /// The link's path on this server, `/portal/TENANT/link/TEXT`.
    public let path: String
    /// Whether the license's policy lets the holder release devices; if not, the page only shows them.
    public let canRelease: Bool
}

extension LicensingContext {
    /// Makes a one-time link to the page of a license, where its holder can release devices; durable before this
    /// returns.
    ///
    /// Returns `nil` if the license doesn't exist. Throws ``ServerError``.
    public func makeLicenseLink(
        to license: LicenseID, expiresAt: Timestamp, by actor: Actor
    ) async throws(ServerError) -> HolderLink? {
        let text = CredentialText.random()
        let now = clock.now()
        let credential = LicenseCredential(
            hash: text.hash, license: license, kind: .link, createdAt: now, expiresAt: expiresAt)
        return try await catalog.perform(LicenseQueryPlans.byID.bind(license)) {
            (results, license, snapshot) -> TransactionResult<HolderLink?> in
            guard let license = results[license] else { return TransactionResult(nil) }
            let event = Event(
                .licenseLinkMade, at: now, actor: actor, about: license.subject,
                facts: [.init("expiresAt", .date(expiresAt))])
            let link = HolderLink(
                credential: credential, text: text.text,
                path: PagePath(PageSite.holder.segments(of: license.product.tenant) + ["link", text.text]).text,
                canRelease: try snapshot.policy(of: license).selfRelease != nil)
            return TransactionResult(link, [.insert(credential), .event(event)])
        }
    }
}
