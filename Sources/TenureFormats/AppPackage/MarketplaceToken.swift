public import TenureCore

/// What connects a developer with a marketplace: a JWS with ES256 that the developer pastes into App Store Connect
/// (`spec/apple.md` §5).
public struct MarketplaceToken: Sendable, Hashable {
    /// The days that one may be good for: fewer than seven.
    public static let days = 1...6

    /// The marketplace app's number: who issues it.
    public let issuer: AppleItemID
    /// The developer's id at Apple, a UUID.
    public let developer: String
    /// When it is issued.
    public let issuedAt: Timestamp
    /// The first moment at which it is no longer good.
    public let expiresAt: Timestamp

    /// States a token; nil for a developer that is no UUID, and for another number of days.
    public init?(issuer: AppleItemID, developer: String, issuedAt: Timestamp, days: Int) {
        guard ActivationID(text: developer.lowercased()) != nil, Self.days.contains(days) else { return nil }
        self.issuer = issuer
        self.developer = developer
        self.issuedAt = issuedAt
        expiresAt = issuedAt.adding(days: days)
    }

    /// What is to be signed with the distribution key. The header names no key: Apple knows one for the marketplace.
    public var signingInput: JWSSigningInput {
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
