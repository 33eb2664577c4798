package import TenureCore
package import TenureStore

/// A stored credential: a token, a one-time link or a session.
///
/// The row has the hash of the credential's text (``CredentialText``). It works until it expires or is ended. Using a
/// one-time link ends it.
package protocol Credential: Stored {
    /// When it expires; `nil` for never.
    var expiry: Timestamp? { get }
    /// When it was used up, closed or revoked; `nil` if it wasn't.
    var endedAt: Timestamp? { get set }
    /// The credentials that expire, by `expires_at`.
    static var byExpiry: RowSet<Self> { get }
    /// The ended credentials, by `ended_at`.
    static var byEnd: RowSet<Self> { get }
}

extension Credential {
    /// Whether it works at a moment.
    package func works(at now: Timestamp) -> Bool { endedAt == nil && expiry.map { now < $0 } ?? true }

    /// Returns a copy that ends now, or that ended before.
    package func ended(at now: Timestamp) -> Self {
        var ended = self
        ended.endedAt = endedAt ?? now
        return ended
    }
}

extension RetentionRule {
    /// Deletes credentials a month after they expired or ended, because support may need them for that long.
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
    /// Ends the restored credentials that have ended, or were deleted, since the copy was made.
    package static func credentials<Row: Credential>(
        _ kind: String, of _: Row.Type, named name: @escaping @Sendable (Row) -> String
    ) -> RestoreExclusion {
        RestoreExclusion(
            kind, of: Row.self, where: [[Comparison("ended_at", .isNotNull)]], named: name, gone: endIfWorking
        ) { copied, later in
            guard copied.endedAt == nil, let end = later.endedAt else { return nil }
            return (copied.ended(at: end), ["ended"])
        }
    }

    /// Returns a restored credential, ended now, whose row the later store has deleted because it had ended there.
    ///
    /// Returns `nil` if the restored one doesn't work either.
    @Sendable package static func endIfWorking<Row: Credential>(_ copied: Row, at now: Timestamp) -> Row? {
        copied.works(at: now) ? copied.ended(at: now) : nil
    }
}
