import Foundation
package import TenureCore
package import TenureCrypto
package import TenureFormats

/// The keys that answers are verified with: pinned ones, served ones if the app believes those,
/// and those that a signed keyset vouched for.
///
/// Keysets are kept as they were signed, and verified again at each launch: a record that somebody changed cannot slip in
/// a key.
///
/// `@unchecked`: everything that changes is behind `lock`. (`Mutex` needs newer systems than the client supports.)
package final class VouchedKeys: @unchecked Sendable {
    /// How many keysets are kept, each signed with a key of the one before.
    package static let longestChain = 16

    private let lock = NSLock()
    private let product: ProductRef
    private let pinned: [String: Ed25519.PublicKey]
    /// Whether keys that the server shows over TLS are believed.
    package let believesServed: Bool
    private var served: [String: Ed25519.PublicKey] = [:]
    private var chain: [[UInt8]] = []
    private var keys: TrustedKeys

    /// Begins with the keys that the app was built with.
    package init(product: ProductRef, pinned: [String: Ed25519.PublicKey], trust: KeyTrust) {
        self.product = product
        self.pinned = pinned
        believesServed = trust == .served
        keys = TrustedKeys(pinned: pinned)
    }

    /// What statements are verified with now.
    package var trusted: TrustedKeys { lock.withLock { keys } }

    /// All of them by `kid`, as the Keylight formats take them.
    package var all: [String: Ed25519.PublicKey] {
        let keys = trusted
        return keys.vouched.merging(keys.pinned) { _, pinned in pinned }
    }

    /// Takes in a keyset that has just been verified under these keys, with its bytes.
    ///
    /// Throws: `.badMember`, when it gives a trusted name to another key.
    package func adopt(_ keyset: TenureKeyset, signed bytes: [UInt8]) throws(FormatError) {
        lock.lock()
        defer { lock.unlock() }
        try keys.adopt(keyset)
        // What a lasting key signed needs no earlier links.
        if verified(bytes, under: lasting) != nil {
            chain = [bytes]
        } else if chain.count < Self.longestChain {
            chain.append(bytes)
        }
    }

    /// Believes keys that the server showed over TLS, if the app said so. All of them: one that is no longer among them
    /// has been withdrawn, and one that has a kept key's name doesn't take its place.
    package func learn(_ shown: [String: Ed25519.PublicKey]) {
        guard believesServed, !shown.isEmpty else { return }
        lock.withLock {
            served = shown.merging(served.filter { shown[$0.key] != nil }) { _, kept in kept }
            keys = lasting
            chain = []
        }
    }

    /// What ``restore(_:)`` reads.
    package func kept() -> [UInt8] {
        lock.withLock {
            JSONWriter.object { object in
                object.member("keysets", chain.map { String(decoding: $0, as: UTF8.self) })
                object.array("served") { list in
                    for (kid, key) in served.sorted(by: { $0.key < $1.key }) {
                        list.object { member in
                            member.member("kid", kid)
                            member.member("public_key", Base64.encode(key.bytes))
                        }
                    }
                }
            }
        }
    }

    /// Takes back what was kept, as far as it verifies.
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
