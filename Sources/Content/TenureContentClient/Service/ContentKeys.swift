import TenureClient
package import TenureCrypto
package import TenureFormats
import TenureThreads

/// The keys that verify a server's statements: those built into the app and, if trusted, those served over TLS.
package final class ContentKeys: Sendable {
    private struct State {
        var served: [String: Ed25519.PublicKey] = [:]
        var hasLooked = false
    }

    private let state = Monitor(State())
    private let pinned: [String: Ed25519.PublicKey]
    /// Whether the app trusts keys that the server publishes over TLS.
    package let believesServed: Bool

    /// Creates a key set with the built-in keys and no served ones.
    package init(pinned: [String: Ed25519.PublicKey], trust: KeyTrust) {
        self.pinned = pinned
        believesServed = trust == .served
    }

    /// The keys that are trusted now; a built-in key takes precedence over a served one.
    package var trusted: TrustedKeys {
        state.withLock { TrustedKeys(pinned: $0.served.merging(pinned) { _, pinned in pinned }) }
    }

    /// The served keys to store, by `kid`, in base64.
    package var servedKeys: [String: String] { state.withLock { $0.served.mapValues { Base64.encode($0.bytes) } } }

    /// Restores served keys that were stored earlier; ignored if the app doesn't trust served keys.
    package func restore(_ encodedKeys: [String: String]) {
        guard believesServed else { return }
        let keys = encodedKeys.compactMapValues { Base64.decode($0).flatMap { try? Ed25519.PublicKey(bytes: $0) } }
        state.withLock { $0.served.merge(keys) { _, new in new } }
    }

    /// Allows one more request for the served keys.
    ///
    /// The library calls this at the start of each operation.
    package func lookAnew() { state.withLock { $0.hasLooked = false } }

    /// Whether to request the served keys after a failed verification; `true` once per ``lookAnew()``.
    package func mayLook() -> Bool {
        guard believesServed else { return false }
        return state.withLock { state in
            defer { state.hasLooked = true }
            return !state.hasLooked
        }
    }

    /// Adopts the Ed25519 keys of a JWK set (RFC 7517, RFC 8037) if the app trusts served keys.
    ///
    /// Served keys that are missing from the set are removed; a set without a usable key changes nothing. A key whose
    /// `kid` is already stored doesn't replace the stored one.
    package func learn(_ set: FlatObject) {
        guard believesServed else { return }
        var shown: [String: Ed25519.PublicKey] = [:]
        for key in set.objects("keys").value ?? [] {
            guard let read = (try? JWK(key)) ?? nil else { continue }
            shown[read.kid] = read.publicKey
        }
        guard !shown.isEmpty else { return }
        state.withLock { state in
            state.served = shown.merging(state.served.filter { shown[$0.key] != nil }) { _, key in key }
        }
    }
}
