import Foundation
package import TenureCore
package import TenureCrypto
package import TenureFormats

/// The keys that responses are verified with.
///
/// They are the pinned keys, the served keys if the app trusts those, and the keys in signed keysets. Keysets are
/// stored as they were signed and verified again at each launch, so changing the record can't add a key.
///
/// `@unchecked`: all variables are guarded by `lock`. (`Mutex` needs newer systems than the client supports.)
package final class VouchedKeys: @unchecked Sendable {
    /// The maximum number of stored keysets, each signed with a key of the previous one.
    package static let longestChain = 16

    private let lock = NSLock()
    private let product: ProductRef
    private let pinned: [String: Ed25519.PublicKey]
    /// Whether keys that the server sends over TLS are trusted.
    package let believesServed: Bool
    private var served: [String: Ed25519.PublicKey] = [:]
    private var chain: [[UInt8]] = []
    private var keys: TrustedKeys

    /// Starts with the keys that the app was built with.
    package init(product: ProductRef, pinned: [String: Ed25519.PublicKey], trust: KeyTrust) {
        self.product = product
        self.pinned = pinned
        believesServed = trust == .served
        keys = TrustedKeys(pinned: pinned)
    }

    /// The keys that statements are verified with now.
    package var trusted: TrustedKeys { lock.withLock { keys } }

    /// All trusted keys by `kid`, as the Keylight formats expect them.
    package var all: [String: Ed25519.PublicKey] {
        let keys = trusted
        return keys.vouched.merging(keys.pinned) { _, pinned in pinned }
    }

    /// Adds the keys of a keyset that has just been verified with these keys.
    ///
    /// Throws: `.badMember` if the keyset assigns a trusted `kid` to another key.
    package func adopt(_ keyset: TenureKeyset, signed bytes: [UInt8]) throws(FormatError) {
        lock.lock()
        defer { lock.unlock() }
        try keys.adopt(keyset)
        // A keyset that a pinned or served key signed doesn't depend on earlier keysets.
        if verified(bytes, under: lasting) != nil {
            chain = [bytes]
        } else if chain.count < Self.longestChain {
            chain.append(bytes)
        }
    }

    /// Replaces the served keys with those that the server sent over TLS, if the app trusts such keys.
    ///
    /// A key that is no longer listed has been withdrawn. A new key never replaces a stored key with the same `kid`.
    package func learn(_ shown: [String: Ed25519.PublicKey]) {
        guard believesServed, !shown.isEmpty else { return }
        lock.withLock {
            served = shown.merging(served.filter { shown[$0.key] != nil }) { _, kept in kept }
            keys = lasting
            chain = []
        }
    }

    /// The keys, encoded for ``restore(_:)``.
    package func kept() -> [UInt8] {
        lock.withLock {
            JSONWriter.object { object in
                object.member("keysets", chain.map { String(decoding: $0, as: UTF8.self) })
                object.array("served") { list in
                    for (kid, key) in served.sorted(by: { $0.key < $1.key }) {
                        list.object { member in
                            member.member("kid", kid)
                            member.member("public_key", base64: key.bytes)
                        }
                    }
                }
            }
        }
    }

    /// Restores stored keys, stopping at the first keyset that fails verification.
    package func restore(_ bytes: [UInt8]) {
        guard let object = try? FlatObject(scanning: bytes) else { return }
        lock.lock()
        defer { lock.unlock() }
        if believesServed {
            for member in object.objects("served").value ?? [] {
                guard let kid = member.string("kid").value, let text = member.string("public_key").value,
                    let bytes = Base64.decode(text), let key = try? Ed25519.PublicKey(bytes: bytes)
                else { continue }
                served[kid] = key
            }
        }
        keys = lasting
        chain = []
        for text in (object.strings("keysets").value ?? []).prefix(Self.longestChain) {
            let bytes = Array(text.utf8)
            guard let keyset = verified(bytes, under: keys), (try? keys.adopt(keyset)) != nil else { return }
            chain.append(bytes)
        }
    }

    private var lasting: TrustedKeys { TrustedKeys(pinned: served.merging(pinned) { _, pinned in pinned }) }

    private func verified(_ bytes: [UInt8], under keys: TrustedKeys) -> TenureKeyset? {
        try? UnverifiedTenureKeyset(compact: bytes)
            .verify(StatementBindings(product: product, occasion: .record), trusting: keys)
    }
}
