public import TenureCore
import TenureCrypto
import TenureFormats
import TenurePages
public import TenureServerKit
import TenureStore

/// Makes a one-time link to the page of a license, where its holder frees places.
public struct MakeLicenseLink: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Makes links under a catalog, by a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// How long a link works by default, in hours.
    public static let hours = 24
    /// The longest that a link may work, in hours.
    public static let mostHours = 720

    /// A link and the only copy of its text.
    public struct Made: Sendable {
        /// The record, without the text.
        public let credential: LicenseCredential
        /// The text, to be shown once: 256 random bits in base64url.
        public let text: String
        /// Where the link leads on this server, `/portal/TENANT/link/TEXT`.
        public let path: String
        /// Whether the license's policy lets holders release devices; without it the page only shows them.
        public let canRelease: Bool
    }

    /// Makes a link that opens one session; durable before this returns. Nil when there is no such license.
    ///
    /// Throws ``ServerError``.
    public func callAsFunction(
        to license: LicenseID, expiresAt: Timestamp, by actor: Actor
    ) async throws(ServerError) -> Made? {
        let text = Base64.encodeURL(SecureRandom.bytes(32))
        let now = clock.now()
        let credential = LicenseCredential(
            hash: .sha256(of: text), license: license, kind: .link, createdAt: now, expiresAt: expiresAt)
        return try await catalog.perform(LicenseForms.byID.asked(.of(license))) {
            (seen, license, snapshot) throws(ServerError) -> Saving<Made?> in
            guard let license = seen[license] else { return Saving(nil) }
            let event = Event(
                .licenseLinkMade, at: now, actor: actor, about: license.subject,
                facts: [.init("expiresAt", .date(expiresAt))])
            let made = Made(
                credential: credential, text: text,
                path: PagePath(PageSite.holder.place(of: license.product.tenant) + ["link", text]).text,
                canRelease: try snapshot.policy(of: license).selfRelease != nil)
            return Saving(made, [.insert(credential), .event(event)])
        }
    }
}
