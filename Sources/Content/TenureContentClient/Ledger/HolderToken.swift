package import TenureClient
package import TenureCore

/// The bearer token that identifies a holder to the content server.
///
/// The vendor's own server creates it for one tenant, holder and device.
package struct HolderToken: Sendable, Hashable, Codable {
    /// The text that requests send in the `Authorization` header.
    package let text: String
    /// When the token expires; `nil` if the app didn't say.
    package let expiresAt: Moment?
    /// When this device received the token, in trusted time; `nil` for a token stored by an earlier version of this
    /// client.
    package let receivedAt: Moment?
    /// When the server was last asked for a new token and sent none, in trusted time; `nil` if that never happened.
    package var askedAt: Moment?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case text = "text"
        case expiresAt = "expiresAt"
        case receivedAt = "receivedAt"
        case askedAt = "askedAt"
    }

    /// The shortest interval between two requests for a new token, in seconds.
    package static let askInterval: Int64 = 86_400

    package init(_ text: String, expiresAt: Moment? = nil, receivedAt: Moment? = nil) {
        self.text = text
        self.expiresAt = expiresAt
        self.receivedAt = receivedAt
    }

    /// Whether both tokens have the same text, expiry and time of receipt; ``askedAt`` may differ.
    func isSame(as other: HolderToken) -> Bool {
        text == other.text && expiresAt == other.expiresAt && receivedAt == other.receivedAt
    }

    /// The middle of the token's lifetime; `nil` if its start or end is unknown.
    package var halfLife: Timestamp? {
        guard let start = receivedAt?.timestamp, let end = expiresAt?.timestamp else { return nil }
        return start.adding(seconds: start.seconds(until: end) / 2)
    }

    /// Whether to request a new token: in the second half of its lifetime, at most once a day.
    ///
    /// A token of unknown lifetime may expire any day, so the server is asked daily.
    package func isSuccessorDue(at now: Timestamp) -> Bool {
        if let asked = askedAt?.timestamp, asked.seconds(until: now) < Self.askInterval { return false }
        if let halfLife { return now >= halfLife }
        return receivedAt.map { $0.timestamp.seconds(until: now) >= Self.askInterval } ?? true
    }

    /// A copy that records that a new token was requested and the server sent none.
    func asked(at now: Timestamp) -> HolderToken {
        var token = self
        token.askedAt = Moment(now)
        return token
    }

    /// The token that the server sent as a replacement.
    ///
    /// It is assumed to have the same lifetime as this one.
    func successor(_ text: String, at now: Timestamp) -> HolderToken {
        let life = receivedAt.flatMap { start in expiresAt.map { start.timestamp.seconds(until: $0.timestamp) } }
        return HolderToken(text, expiresAt: life.map { Moment(now.adding(seconds: $0)) }, receivedAt: Moment(now))
    }
}
