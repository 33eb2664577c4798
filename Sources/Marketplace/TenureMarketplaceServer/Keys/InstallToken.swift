import TenureCore
import TenureFormats

/// An install verification token: a JWS with ES256 that a device presents to Apple before it installs an app.
///
/// Apple's documentation of MarketplaceKit specifies the format.
struct InstallToken: Sendable, Hashable {
    /// Whether the app is new to the device; Apple counts first installs.
    enum Download: String, Sendable, Hashable {
        /// The app has never been on this device.
        case first = "download"
        /// The app is or was on this device, possibly in another version.
        case again = "redownload"
    }

    /// How long a token is valid, in seconds.
    static let lifetime: Int64 = 600

    /// The Apple item id of the marketplace app, which issues the token.
    let issuer: AppleItemID
    /// The bundle id of the app to install.
    let bundleID: String
    /// The Apple item id of the app to install.
    let item: AppleItemID
    let version: AppleVersionID
    /// Whether the app is new to the device, or is or was installed on the device.
    let download: Download
    /// A random UUID in upper case, unique to this token.
    let nonce: String
    let issuedAt: Timestamp

    /// The first second at which the token is no longer valid.
    var expiresAt: Timestamp { issuedAt.adding(seconds: Self.lifetime) }

    /// The header and payload to sign with the distribution key, whose UUID in App Store Connect is `kid`.
    ///
    /// The header has exactly Apple's three members, in Apple's order.
    func signingInput(kid: String) -> JWSSigningInput {
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
