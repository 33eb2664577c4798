package import TenureCore
package import TenureStore

/// A stored credential: a token, a one-time link or a session.
///
/// The row contains the hash of the credential's text (``CredentialText``). A credential is valid until it expires or
/// is ended. Using a one-time link ends the link.
package protocol Credential: Stored {
    var createdAt: Timestamp { get }
    /// The time at which the credential expires; `nil` for never.
    var expiry: Timestamp? { get }
    /// The time at which the credential was used up, closed or revoked; `nil` if it hasn't been.
    var endedAt: Timestamp? { get set }
    /// The credentials that expire, by `expires_at`.
    static var byExpiry: RowSet<Self> { get }
    /// The ended credentials, by `ended_at`.
    static var byEnd: RowSet<Self> { get }
}

extension Credential {
    /// Whether the credential has neither ended nor expired at a time.
    package func works(at now: Timestamp) -> Bool { endedAt == nil && expiry.map { now < $0 } ?? true }

    /// Returns a copy that ends now. An earlier end is preserved.
    package func ended(at now: Timestamp) -> Self {
        var ended = self
        ended.endedAt = endedAt ?? now
        return ended
    }
}

extension RetentionRule {
    /// Deletes credentials 30 days after they expired or ended, because support may need them until then.
    package static func credentials<Row: Credential>(_: Row.Type) -> [RetentionRule] {
        let seconds: Int64 = 30 * 86_400
        return [
            RetentionRule(RetentionSweep(Row.byExpiry), by: "expires_at", after: seconds) { credential, limit in
                credential.expiry.map { $0 < limit } ?? false
            },
            RetentionRule(RetentionSweep(Row.byEnd), by: "ended_at", after: seconds) { credential, limit in
                credential.endedAt.map { $0 < limit } ?? false
            },
        ]
    }
}

extension RestoreExclusion {
    /// Ends restored credentials that were ended or deleted in the later store.
    package static func credentials<Row: Credential & Equatable>(
        _ kind: String, of _: Row.Type, named name: @escaping @Sendable (Row) -> String
    ) -> RestoreExclusion {
        RestoreExclusion(
            kind, of: Row.self, where: [[Comparison("ended_at", .isNotNull)]], named: name, gone: endIfWorking
        ) { copied, later, _ in
            guard copied.endedAt == nil, let end = later.endedAt else { return nil }
            return (copied.ended(at: end), ["ended"])
        }
    }

    /// Ends a restored credential whose row is missing in the later store. Returns `nil` if the restored row doesn't
    /// change.
    ///
    /// The later store deletes only credentials that have expired or ended. But it never had the credentials that the
    /// restored store created after the two states split, so those stay valid.
    @Sendable package static func endIfWorking<Row: Credential>(
        _ copied: Row, at now: Timestamp, sharedUntil: Timestamp?
    ) -> Row? {
        guard copied.works(at: now), sharedUntil.map({ copied.createdAt <= $0 }) ?? true else { return nil }
        return copied.ended(at: now)
    }
}
