import Foundation
package import TenureClient
package import TenureCrypto
package import TenureFormats

/// The keys that a server's word about content is verified with: those that the app was built with, and where the app
/// believes those, the ones that the server shows over TLS.
///
/// `@unchecked`: what changes is behind `lock`.
package final class ContentKeys: @unchecked Sendable {
    // Sendable by `lock`, which guards `served` and `hasLooked`.
    private let lock = NSLock()
    private let pinned: [String: Ed25519.PublicKey]
    private var served: [String: Ed25519.PublicKey] = [:]
    private var hasLooked = false
    /// Whether keys that the server shows are believed.
    package let believesServed: Bool

    /// Begins with the keys that the app was built with.
    package init(pinned: [String: Ed25519.PublicKey], trust: KeyTrust) {
        self.pinned = pinned
        believesServed = trust == .served
    }

    /// What statements are verified with now.
    package var trusted: TrustedKeys {
        lock.withLock { TrustedKeys(pinned: served.merging(pinned) { _, pinned in pinned }) }
    }

    /// The keys that the server showed, to keep: `kid` and base64.
    package var kept: [String: String] { lock.withLock { served.mapValues { Base64.encode($0.bytes) } } }

    /// Takes back what was kept.
    package func restore(_ kept: [String: String]) {
        guard believesServed else { return }
        let keys = kept.compactMapValues { Base64.decode($0).flatMap { try? Ed25519.PublicKey(bytes: $0) } }
        lock.withLock { served.merge(keys) { _, new in new } }
    }

    /// Something is asked for anew, so keys may be: once, however many answers do not verify.
    package func lookAnew() { lock.withLock { hasLooked = false } }

    /// Whether to look what the server shows, because an answer does not verify; then not again before ``lookAnew()``.
    package func mayLook() -> Bool {
        guard believesServed else { return false }
        return lock.withLock {
            defer { hasLooked = true }
            return !hasLooked
        }
    }

    /// Takes in a JWK set (RFC 7517, RFC 8037), if the app believes what is served; keys of other kinds are left out.
    ///
    /// A key that is no longer in the set has been withdrawn and goes; one that has a kept key's name doesn't take its
    /// place.
    package func learn(_ set: FlatObject) {
        guard believesServed else { return }
        var shown: [String: Ed25519.PublicKey] = [:]
        for key in set.objects("keys").value ?? [] {
            guard let read = (try? JWK(key)) ?? nil else { continue }
            shown[read.kid] = read.publicKey
        }
        guard !shown.isEmpty else { return }
        lock.withLock {
            served = shown.merging(served.filter { shown[$0.key] != nil }) { _, kept in kept }
        }
    }
}
