package import TenureClient
package import TenureCore

/// What a holder signs in with: made by the vendor's own server, bound to tenant, holder and device.
package struct HolderToken: Sendable, Hashable, Codable {
    /// The bearer's text.
    package let text: String
    /// When it ends; nil when the app was not told.
    package let expiresAt: Moment?
    /// When this device got it, in trusted time; nil for a token kept by an earlier version of this client.
    package let receivedAt: Moment?
    /// When the server was last asked for a successor and gave none, in trusted time; nil when it never was.
    package var askedAt: Moment?

    /// How often a successor is asked for at most, in seconds.
    package static let askInterval: Int64 = 86_400

    /// Keeps a token.
    package init(_ text: String, expiresAt: Moment? = nil, receivedAt: Moment? = nil) {
        self.text = text
        self.expiresAt = expiresAt
        self.receivedAt = receivedAt
    }

    /// Whether both are from one sign-in and have one text.
    func isSame(as other: HolderToken) -> Bool {
        text == other.text && expiresAt == other.expiresAt && receivedAt == other.receivedAt
    }

    /// When half of its life is over; nil when its end or its beginning is unknown.
    package var halfLife: Timestamp? {
        guard let start = receivedAt?.timestamp, let end = expiresAt?.timestamp else { return nil }
        return start.adding(seconds: start.seconds(until: end) / 2)
    }

    /// Whether a successor is to be asked for: in the second half of its life, and once a day at most. A token whose
    /// life is unknown may be near its end any day, so the server, which knows, is asked daily.
    package func isSuccessorDue(at now: Timestamp) -> Bool {
        if let asked = askedAt?.timestamp, asked.seconds(until: now) < Self.askInterval { return false }
        if let halfLife { return now >= halfLife }
        return receivedAt.map { $0.timestamp.seconds(until: now) >= Self.askInterval } ?? true
    }

    /// The same after the server was asked for a successor and gave none.
    func asked(at now: Timestamp) -> HolderToken {
        var token = self
        token.askedAt = Moment(now)
        return token
    }

    /// The token that a server gave in its place: servers let it live as long as this one.
    func successor(_ text: String, at now: Timestamp) -> HolderToken {
        let life = receivedAt.flatMap { start in expiresAt.map { start.timestamp.seconds(until: $0.timestamp) } }
        return HolderToken(text, expiresAt: life.map { Moment(now.adding(seconds: $0)) }, receivedAt: Moment(now))
    }
}
