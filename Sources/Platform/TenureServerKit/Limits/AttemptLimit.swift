import Synchronization
package import TenureCore
package import TenureHTTP

/// An ``AttemptCounter`` shared by concurrent requests.
///
/// Each server process counts separately.
package final class AttemptLimit: Sendable {
    private let ledger: Mutex<AttemptCounter>

    package init(_ ledger: AttemptCounter) {
        self.ledger = Mutex(ledger)
    }

    /// Counts an attempt, separately for each combination of tenant, case-folded name and source.
    ///
    /// - Parameter source: The network that the attempt comes from; `nil` if the network is unknown.
    package func authenticate(
        _ name: String, of tenant: TenantID, from source: IPAddress? = nil, at now: Timestamp
    ) -> AttemptCounter.Answer {
        ledger.withLock { $0.authenticate(Self.key(name, tenant, source), at: now) }
    }

    /// Subtracts an attempt that was admitted but not made.
    package func takeBack(
        _ name: String, of tenant: TenantID, from source: IPAddress? = nil, at now: Timestamp
    ) {
        ledger.withLock { $0.takeBack(Self.key(name, tenant, source), at: now) }
    }

    /// Clears the attempts for a name from a source, after the correct password.
    package func forget(_ name: String, of tenant: TenantID, from source: IPAddress? = nil) {
        ledger.withLock { $0.forget(Self.key(name, tenant, source)) }
    }

    private static func key(_ name: String, _ tenant: TenantID, _ source: IPAddress?) -> Digest {
        .sha256(of: "\(tenant)|\(source?.description ?? "")|\(FoldedText(name).text)")
    }
}
