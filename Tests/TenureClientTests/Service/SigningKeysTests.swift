import TenureClient
import TenureCrypto
import Testing

@Suite struct SigningKeysTests {
    private let one = Ed25519.PrivateKey.generate().publicKey
    private let other = Ed25519.PrivateKey.generate().publicKey

    @Test func `a pinned key keeps its name, whatever is learned`() {
        let keys = SigningKeys(pinned: ["k1": one])
        #expect(!keys.learn(["k1": other], replacing: true))
        #expect(keys.all == ["k1": one])
        #expect(keys.others.isEmpty)
    }

    @Test func `a learned key changes only at the word of who is believed about its name`() {
        let keys = SigningKeys(pinned: [:])
        #expect(keys.learn(["k1": one]))
        #expect(!keys.learn(["k1": other]))
        #expect(keys.all == ["k1": one])
        #expect(keys.learn(["k1": other], replacing: true))
        #expect(keys.all == ["k1": other])
    }

    @Test func `no more keys are learned than the limit`() {
        let keys = SigningKeys(pinned: [:])
        keys.learn(Dictionary(uniqueKeysWithValues: (0..<500).map { ("k\($0)", one) }))
        #expect(keys.all.count == SigningKeys.limit)
    }
}
