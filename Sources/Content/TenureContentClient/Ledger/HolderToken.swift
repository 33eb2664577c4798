package import TenureClient
package import TenureCore

/// The bearer token that identifies a holder to the content server.
///
/// The vendor's own server creates it for one tenant, holder and device.
package struct HolderToken: Sendable, Hashable, Codable {
    /// The text that requests send in the `Authorization` header.
    package let text: String
    /// When the token expires; `nil` if the app didn't say.
    package private(set) var expiresAt: Moment?
    /// Whether this client derived ``expiresAt`` from ``received`` and the lifetime of the previous token.
    private let isExpiryAssumed: Bool
    /// When this device received the token; `nil` if that isn't known.
    package private(set) var received: DeviceTime?
    /// When a new token was last requested and not received, in trusted time; `nil` if that never happened.
    package var askedAt: Moment?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case text = "text"
        case expiresAt = "expiresAt"
        case isExpiryAssumed = "isExpiryAssumed"
        case received = "received"
        case askedAt = "askedAt"
    }

    /// The shortest interval between two requests for a new token, in seconds.
    package static let askInterval: Int64 = 86_400

    package init(
        _ text: String, expiresAt: Moment? = nil, received: DeviceTime? = nil, isExpiryAssumed: Bool = false
    ) {
        self.text = text
        self.expiresAt = expiresAt
        self.isExpiryAssumed = isExpiryAssumed
        self.received = received
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        text = try members.decode(String.self, forKey: .text)
        expiresAt = try members.decodeIfPresent(Moment.self, forKey: .expiresAt)
        // Earlier versions didn't store it.
        isExpiryAssumed = try members.decodeIfPresent(Bool.self, forKey: .isExpiryAssumed) ?? false
        received = try members.decodeIfPresent(DeviceTime.self, forKey: .received)
        askedAt = try members.decodeIfPresent(Moment.self, forKey: .askedAt)
    }

    /// Whether both tokens have the same text, time of receipt and, unless it was assumed, expiry. A correction of the
    /// times makes no difference.
    func isSame(as other: HolderToken) -> Bool {
        text == other.text && received?.ran == other.received?.ran && isExpiryAssumed == other.isExpiryAssumed
            && (isExpiryAssumed || expiresAt == other.expiresAt)
    }

    /// The token with its times corrected, if the clock was ahead when they were written.
    ///
    /// Without this, no new token would be requested until the true time reaches the wrong one, and the holder would
    /// be signed out.
    func corrected(by check: TimeCheck) -> HolderToken {
        var token = self
        token.received = received?.corrected(by: check)
        if isExpiryAssumed, let before = received?.time, let after = token.received?.time {
            token.expiresAt = expiresAt.map { Moment($0.timestamp.adding(seconds: before.seconds(until: after))) }
        }
        token.askedAt = askedAt.map { Moment(DeviceTime($0.timestamp).corrected(by: check).time) }
        return token
    }

    /// The middle of the token's lifetime; `nil` if its start or end is unknown.
    package var halfLife: Timestamp? {
        guard let start = received?.time, let end = expiresAt?.timestamp else { return nil }
        return start.adding(seconds: start.seconds(until: end) / 2)
    }

    /// Whether to request a new token: in the second half of its lifetime, at most once a day.
    ///
    /// A token of unknown lifetime may expire any day, so a new one is requested daily.
    package func isSuccessorDue(at now: Timestamp) -> Bool {
        if let lastRequest = askedAt?.timestamp, lastRequest.seconds(until: now) < Self.askInterval { return false }
        if let halfLife { return now >= halfLife }
        return received.map { $0.time.seconds(until: now) >= Self.askInterval } ?? true
    }

    /// A copy that records that a new token was requested now and wasn't received.
    func requested(at now: Timestamp) -> HolderToken {
        var token = self
        token.askedAt = Moment(now)
        return token
    }

    /// The token that the server sent as a replacement.
    ///
    /// It is assumed to have the same lifetime as this one.
    func successor(_ text: String, at now: DeviceTime) -> HolderToken {
        let life = received.flatMap { start in expiresAt.map { start.time.seconds(until: $0.timestamp) } }
        return HolderToken(
            text, expiresAt: life.map { Moment(now.time.adding(seconds: $0)) }, received: now, isExpiryAssumed: true)
    }
}
