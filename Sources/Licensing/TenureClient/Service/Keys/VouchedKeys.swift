package import TenureCore
package import TenureCrypto
package import TenureFormats
import TenureThreads

/// The keys that responses are verified with.
///
/// They are the pinned keys, the served keys if the app trusts those, and the keys in signed keysets. Keysets are
/// stored as they were signed and verified again at each launch, so changing the record can't add a key.
package final class VouchedKeys: Sendable {
    /// The maximum number of stored keysets, each signed with a key of the previous one.
    package static let longestChain = 16

    private struct State {
        var served: [String: Ed25519.PublicKey] = [:]
        var chain: [[UInt8]] = []
        var keys: TrustedKeys
    }

    private let state: Monitor<State>
    private let product: ProductRef
    private let pinned: [String: Ed25519.PublicKey]
    /// Whether keys that the server sends over TLS are trusted.
    package let believesServed: Bool

    /// Starts with the keys that the app was built with.
    package init(product: ProductRef, pinned: [String: Ed25519.PublicKey], trust: KeyTrust) {
        self.product = product
        self.pinned = pinned
        believesServed = trust == .served
        state = Monitor(State(keys: TrustedKeys(pinned: pinned)))
    }

    /// The keys that statements are verified with now.
    package var trusted: TrustedKeys { state.withLock { $0.keys } }

    /// All trusted keys by `kid`, as the Keylight formats expect them.
    package var all: [String: Ed25519.PublicKey] {
        let keys = trusted
        return keys.vouched.merging(keys.pinned) { _, pinned in pinned }
    }

    /// Adds the keys of a keyset that has just been verified with these keys.
    ///
    /// - Throws: `.badMember` if the keyset assigns a trusted `kid` to another key.
    package func adopt(_ keyset: TenureKeyset, signed bytes: [UInt8]) throws(FormatError) {
        try state.withLock { state throws(FormatError) in
            try state.keys.adopt(keyset)
            // A keyset that a pinned or served key signed doesn't depend on earlier keysets.
            if verified(bytes, under: lasting(state)) != nil {
                state.chain = [bytes]
            } else if state.chain.count < Self.longestChain {
                state.chain.append(bytes)
            }
        }
    }

    /// Replaces the served keys with those that the server sent over TLS, if the app trusts such keys.
    ///
    /// A key that is no longer listed has been withdrawn; an empty list changes nothing. A new key never replaces a
    /// stored key with the same `kid`.
    package func learn(_ shown: [String: Ed25519.PublicKey]) {
        guard believesServed, !shown.isEmpty else { return }
        state.withLock { state in
            state.served = shown.merging(state.served.filter { shown[$0.key] != nil }) { _, key in key }
            state.keys = lasting(state)
            state.chain = []
        }
    }

    /// The keys, encoded for ``restore(_:ifUnchangedSince:)``.
    package func encoded() -> [UInt8] { Self.encoded(state.withLock { $0 }) }

    private static func encoded(_ state: State) -> [UInt8] {
        JSONWriter.object { object in
            object.member("keysets", state.chain.map { String(decoding: $0, as: UTF8.self) })
            object.array("served") { list in
                for (kid, key) in state.served.sorted(by: { $0.key < $1.key }) {
                    list.object { member in
                        member.member("kid", kid)
                        member.member("public_key", base64: key.bytes)
                    }
                }
            }
        }
    }

    /// Replaces all keys but the pinned ones with stored keys, stopping at the first keyset that fails verification.
    ///
    /// - Parameter earlier: The keys as they were last read or stored, encoded. If they have changed since, nothing is
    ///   replaced; `nil` to replace them in any case.
    /// - Returns: The stored keys as far as they were accepted, for `earlier` of the next call.
    @discardableResult
    package func restore(_ bytes: [UInt8], ifUnchangedSince earlier: [UInt8]? = nil) -> [UInt8] {
        state.withLock { state in
            if let earlier, Self.encoded(state) != earlier { return bytes }
            if let object = try? FlatObject(scanning: bytes) { restore(object, in: &state) }
            return Self.encoded(state)
        }
    }

    private func restore(_ object: FlatObject, in state: inout State) {
        state.served = [:]
        if believesServed {
            for member in object.objects("served").value ?? [] {
                guard let kid = member.string("kid").value, let text = member.string("public_key").value,
                    let bytes = Base64.decode(text), let key = try? Ed25519.PublicKey(bytes: bytes)
                else { continue }
                state.served[kid] = key
            }
        }
        state.keys = lasting(state)
        state.chain = []
        for text in (object.strings("keysets").value ?? []).prefix(Self.longestChain) {
            let bytes = Array(text.utf8)
            guard let keyset = verified(bytes, under: state.keys), (try? state.keys.adopt(keyset)) != nil else {
                return
            }
            state.chain.append(bytes)
        }
    }

    /// The keys that don't depend on a keyset.
    private func lasting(_ state: State) -> TrustedKeys {
        TrustedKeys(pinned: state.served.merging(pinned) { _, pinned in pinned })
    }

    private func verified(_ bytes: [UInt8], under keys: TrustedKeys) -> TenureKeyset? {
        try? UnverifiedTenureKeyset(compact: bytes)
            .verify(StatementBindings(product: product, occasion: .record), trusting: keys)
    }
}
