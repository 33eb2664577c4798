public import TenureCore

/// What a device shows Apple before it installs a version of an app: an install verification token, a JWS with ES256
/// (`spec/apple.md` §5, `spec/apple-more.md` §4).
public struct InstallToken: Sendable, Hashable {
    /// Whether the app is new to the device; Apple counts first installs.
    public enum Download: String, Sendable, Hashable {
        /// The app was never on this device.
        case first = "download"
        /// The app is or was on it, also in another version.
        case again = "redownload"
    }

    /// Seconds that a token is good for.
    public static let lifetime: Int64 = 600

    /// The marketplace app's number: who issues it.
    public let issuer: AppleItemID
    /// The app's bundle.
    public let bundleID: String
    /// The app.
    public let item: AppleItemID
    /// The version.
    public let version: AppleVersionID
    /// Whether the app is new to the device.
    public let download: Download
    /// A random UUID in capitals, of this token alone.
    public let nonce: String
    /// When it is issued.
    public let issuedAt: Timestamp

    /// States a token.
    public init(
        issuer: AppleItemID, bundleID: String, item: AppleItemID, version: AppleVersionID, download: Download,
        nonce: String, issuedAt: Timestamp
    ) {
        self.issuer = issuer
        self.bundleID = bundleID
        self.item = item
        self.version = version
        self.download = download
        self.nonce = nonce
        self.issuedAt = issuedAt
    }

    /// The first moment at which it is no longer good.
    public var expiresAt: Timestamp { issuedAt.adding(seconds: Self.lifetime) }

    /// What is to be signed with the distribution key that App Store Connect knows under this UUID. The header has Apple's
    /// three members, in Apple's order, and no other.
    public func signingInput(kid: String) -> JWSSigningInput {
        let header = JSONWriter.object { header in
            header.member("alg", JWSAlgorithm.es256.rawValue)
            header.member("kid", kid)
            header.member("typ", "JWT")
        }
        let payload = JSONWriter.object { payload in
            payload.member("iss", issuer.description)
            payload.member("iat", issuedAt.seconds)
            payload.member("exp", expiresAt.seconds)
            payload.member("aud", "AppleDownloadVerification-v1")
            payload.member("bid", bundleID)
            payload.member("dtype", download.rawValue)
            payload.member("nonce", nonce)
            payload.member("iid", item.description)
            payload.member("vid", version.description)
        }
        return JWSSigningInput(header: header, payload: payload)
    }
}
