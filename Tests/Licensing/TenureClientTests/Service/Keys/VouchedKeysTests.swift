import TenureClient
import TenureCrypto
import Testing

@Suite struct VouchedKeysTests {
    private let one = Ed25519.PrivateKey.generate().publicKey
    private let other = Ed25519.PrivateKey.generate().publicKey

    private func keys(_ pinned: [String: Ed25519.PublicKey], _ trust: KeyTrust) throws -> VouchedKeys {
        VouchedKeys(product: try .notes(), pinned: pinned, trust: trust)
    }

    @Test func `a served key doesn't replace a pinned key with the same id`() throws {
        let keys = try keys(["k1": one], .served)
        keys.learn(["k1": other, "k2": other])
        #expect(keys.all == ["k1": one, "k2": other])
    }

    @Test func `a served key doesn't replace a stored key with the same id`() throws {
        let keys = try keys([:], .served)
        keys.learn(["k1": one])
        keys.learn(["k1": other, "k2": other])
        #expect(keys.all == ["k1": one, "k2": other])
        let restored = try self.keys([:], .served)
        restored.restore(keys.encoded())
        restored.learn(["k1": other])
        #expect(restored.all == ["k1": one])
    }

    @Test func `an unpinned key isn't trusted anymore once the server serves other keys without it`() throws {
        let keys = try keys(["k0": one], .served)
        keys.learn(["k1": one, "k2": other])
        keys.learn(["k2": other])
        #expect(keys.all == ["k0": one, "k2": other])
        keys.learn([:])
        #expect(keys.all == ["k0": one, "k2": other], "an empty keyset changes nothing")
    }

    @Test func `restoring the keys that another process stored drops a served key that isn't among them`() throws {
        let (one, other) = (try keys(["k0": one], .served), try keys(["k0": self.one], .served))
        one.learn(["k1": self.one])
        other.learn(["k2": self.other])
        one.restore(other.encoded())
        #expect(one.all == ["k0": self.one, "k2": self.other])
    }

    @Test func `served keys are ignored if the app trusts only pinned keys`() throws {
        let believing = try keys([:], .served)
        believing.learn(["k1": one])
        for (trust, expected) in [(KeyTrust.served, ["k1": one]), (.pinned, [:])] {
            let keys = try keys([:], trust)
            keys.restore(believing.encoded())
            #expect(keys.all == expected)
            keys.learn(["k1": one])
            #expect(keys.all == expected)
        }
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"keysets":["a.b.c"],"served":[{"kid":"k1","public_key":"AAAA"}]}"#, #"{"keysets":7}"#,
    ])
    func `unreadable stored keys are ignored, and the pinned keys stay trusted`(stored: String) throws {
        let keys = try keys(["k1": one], .served)
        keys.restore(Array(stored.utf8))
        #expect(keys.all == ["k1": one])
    }
}
