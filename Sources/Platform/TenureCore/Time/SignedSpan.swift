/// How long a signed document can be valid: whole days, or without end.
public struct SignedSpan: Sendable, Hashable, Comparable {
    /// Days of 86,400 s.
    ///
    /// A value of ``endless`` or more counts as no end.
    public let days: Int

    /// Creates a span of whole days.
    public init(days: Int) { self.days = days }

    /// The span of documents that never expire.
    public static let endless = SignedSpan(days: 1 << 31)

    /// The shortest time for which a signing key is needed, because signed product configurations are valid for 30
    /// days.
    public static let shortest = SignedSpan(days: 30)

    /// Compares by length.
    public static func < (one: SignedSpan, other: SignedSpan) -> Bool { one.days < other.days }

    /// The time at which everything that was signed until `time` has expired; `nil` for never.
    package func end(signedUntil time: Timestamp) -> Timestamp? {
        // Clients tolerate this much clock skew (`StatementEnvelope.skewAllowance`).
        self < .endless ? time.adding(days: days).adding(seconds: 300) : nil
    }
}
