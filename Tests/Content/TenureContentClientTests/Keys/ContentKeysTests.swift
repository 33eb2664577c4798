import TenureClient
import TenureContentClient
import TenureCrypto
import TenureFormats
import Testing

@Suite struct `Keys of content servers` {
    private let one = Ed25519.PrivateKey.generate().publicKey
    private let other = Ed25519.PrivateKey.generate().publicKey

    /// Returns a keyset in the server's JSON format.
    private func set(_ keys: [String: Ed25519.PublicKey]) throws -> FlatObject {
        let bytes = JSONWriter.object { body in
            body.array("keys") { list in
                for (kid, key) in keys {
                    list.object { member in
                        member.member("kty", "OKP")
                        member.member("crv", "Ed25519")
                        member.member("use", "sig")
                        member.member("alg", "EdDSA")
                        member.member("kid", kid)
                        member.member("x", Base64.encodeURL(key.bytes))
                    }
                }
            }
        }
        return try FlatObject(scanning: bytes)
    }

    @Test func `a signing key that the server sends doesn't replace a stored key of the same name`() throws {
        let keys = ContentKeys(pinned: [:], trust: .served)
        keys.learn(try set(["k1": one]))
        keys.learn(try set(["k1": other, "k2": other]))
        #expect(keys.servedKeys == ["k1": Base64.encode(one.bytes), "k2": Base64.encode(other.bytes)])
        let restored = ContentKeys(pinned: [:], trust: .served)
        restored.restore(keys.servedKeys)
        restored.learn(try set(["k1": other]))
        #expect(restored.servedKeys == ["k1": Base64.encode(one.bytes)])
    }

    @Test
    func `a signing key missing from the server's keyset is no longer trusted unless built in or the keyset is empty`()
        throws
    {
        let keys = ContentKeys(pinned: ["k0": one], trust: .served)
        keys.learn(try set(["k1": one, "k2": other]))
        keys.learn(try set(["k2": other]))
        #expect(keys.trusted.kids == ["k0", "k2"])
        keys.learn(try set([:]))
        #expect(keys.trusted.kids == ["k0", "k2"], "an empty keyset changes nothing")
    }
}
