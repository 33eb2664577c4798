public import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
public import TenureServerKit
import TenureStore

/// Makes a one-time link to the page of a license, where its holder can release devices.
public struct MakeLicenseLink: Sendable {
    let catalog: CatalogCache
    let clock: any WallClock

    /// Creates a use case that reads the catalog and takes the time from a clock.
    public init(catalog: CatalogCache, clock: any WallClock) {
        self.catalog = catalog
        self.clock = clock
    }

    /// The default lifetime of a link, in hours.
    public static let hours = 24
    /// The longest lifetime of a link, in hours.
    public static let mostHours = 720

    /// A link with the only copy of its text.
    public struct Made: Sendable {
        /// The stored record, without the text.
        public let credential: LicenseCredential
        /// The link's secret, 256 random bits in base64url; show it once.
        public let text: String
        /// The link's path on this server, `/portal/TENANT/link/TEXT`.
        public let path: String
        /// Whether the license's policy lets the holder release devices; if not, the page only shows them.
        public let canRelease: Bool
    }

    /// Makes a link that opens one session; durable before this returns.
    ///
    /// Returns `nil` if the license doesn't exist. Throws ``ServerError``.
    public func callAsFunction(
        to license: LicenseID, expiresAt: Timestamp, by actor: Actor
    ) async throws(ServerError) -> Made? {
        let text = Base64.encodeURL(SecureRandom.bytes(32))
        let now = clock.now()
        let credential = LicenseCredential(
            hash: .sha256(of: text), license: license, kind: .link, createdAt: now, expiresAt: expiresAt)
        return try await catalog.perform(LicenseForms.byID.asked(license)) {
            (seen, license, snapshot) -> TransactionResult<Made?> in
            guard let license = seen[license] else { return TransactionResult(nil) }
            let event = Event(
                .licenseLinkMade, at: now, actor: actor, about: license.subject,
                facts: [.init("expiresAt", .date(expiresAt))])
            let made = Made(
                credential: credential, text: text,
                path: PagePath(PageSite.holder.place(of: license.product.tenant) + ["link", text]).text,
                canRelease: try snapshot.policy(of: license).selfRelease != nil)
            return TransactionResult(made, [.insert(credential), .event(event)])
        }
    }
}
