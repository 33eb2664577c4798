import TenureCore
import TenureFormats

/// A token that connects a developer with a marketplace: a JWS with ES256.
///
/// The developer pastes it into App Store Connect.
struct MarketplaceToken: Sendable, Hashable {
    /// For how many days a token can be valid; Apple requires fewer than seven.
    static let days = 1...6

    /// The Apple item id of the marketplace app, which issues the token.
    let issuer: AppleItemID
    /// The developer's id at Apple, a UUID.
    let developer: String
    let issuedAt: Timestamp
    /// The first second at which the token is no longer valid.
    let expiresAt: Timestamp

    /// Creates a token; returns `nil` if the developer id isn't a UUID or the number of days is out of range.
    init?(issuer: AppleItemID, developer: String, issuedAt: Timestamp, days: Int) {
        guard ActivationID(text: developer.lowercased()) != nil, Self.days.contains(days) else { return nil }
        self.issuer = issuer
        self.developer = developer
        self.issuedAt = issuedAt
        expiresAt = issuedAt.adding(days: days)
    }

    /// The header and payload to sign with the distribution key.
    ///
    /// The header has no key id, because Apple knows only one distribution key for the marketplace.
    var signingInput: JWSSigningInput {
        let header = JSONWriter.object { header in
            header.member("alg", JWSAlgorithm.es256.rawValue)
            header.member("typ", "JWT")
        }
        let payload = JSONWriter.object { payload in
            payload.member("iss", issuer.description)
            payload.member("iat", issuedAt.seconds)
            payload.member("exp", expiresAt.seconds)
            payload.member("aud", "appstoreconnect-v1")
            payload.member("pid", developer)
        }
        return JWSSigningInput(header: header, payload: payload)
    }
}
