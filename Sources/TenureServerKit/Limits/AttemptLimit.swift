import Synchronization
package import TenureCore

/// An ``AttemptLedger`` that many requests share. It is this process's own: each server on a store counts for itself.
package final class AttemptLimit: Sendable {
    private let ledger: Mutex<AttemptLedger>

    /// Shares a ledger.
    package init(_ ledger: AttemptLedger) {
        self.ledger = Mutex(ledger)
    }

    /// Counts an attempt under a tenant and a name as it was written.
    package func admit(_ name: String, of tenant: TenantID, at now: Timestamp) -> AttemptLedger.Answer {
        ledger.withLock { $0.admit(Self.key(name, tenant), at: now) }
    }

    /// Forgets the attempts under a name.
    package func forget(_ name: String, of tenant: TenantID) {
        ledger.withLock { $0.forget(Self.key(name, tenant)) }
    }

    private static func key(_ name: String, _ tenant: TenantID) -> Digest {
        .sha256(of: "\(tenant)|\(name.lowercased())")
    }
}
