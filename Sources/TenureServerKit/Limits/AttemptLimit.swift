import Synchronization
package import TenureCore
package import TenureHTTP

/// An ``AttemptLedger`` that many requests share. It is this process's own: each server on a store counts for itself.
package final class AttemptLimit: Sendable {
    private let ledger: Mutex<AttemptLedger>

    /// Shares a ledger.
    package init(_ ledger: AttemptLedger) {
        self.ledger = Mutex(ledger)
    }

    /// Counts an attempt under a tenant and a name as it was written; from a source where one is known.
    package func admit(
        _ name: String, of tenant: TenantID, from source: IPAddress? = nil, at now: Timestamp
    ) -> AttemptLedger.Answer {
        ledger.withLock { $0.admit(Self.key(name, tenant, source), at: now) }
    }

    /// Takes back an attempt that was counted, for nothing was tried in the end.
    package func takeBack(
        _ name: String, of tenant: TenantID, from source: IPAddress? = nil, at now: Timestamp
    ) {
        ledger.withLock { $0.takeBack(Self.key(name, tenant, source), at: now) }
    }

    /// Forgets the attempts under a name, from that source.
    package func forget(_ name: String, of tenant: TenantID, from source: IPAddress? = nil) {
        ledger.withLock { $0.forget(Self.key(name, tenant, source)) }
    }

    private static func key(_ name: String, _ tenant: TenantID, _ source: IPAddress?) -> Digest {
        .sha256(of: "\(tenant)|\(source?.description ?? "")|\(name.lowercased())")
    }
}
