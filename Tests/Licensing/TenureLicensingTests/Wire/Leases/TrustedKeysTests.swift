import TenureCore
import TenureCrypto
import TenureFormats
import Testing

@Suite struct TrustedKeysTests {
    func key(_ number: UInt8) -> Ed25519.PrivateKey { GivenStatements.key(number * 32 + 1 - 32) }

    /// Returns a keyset of these keys, signed by one of them.
    func keyset(_ numbers: [UInt8], by signer: UInt8) throws -> UnverifiedTenureKeyset {
        let envelope = GivenStatements.envelope(lasting: 300, keyHash: nil, device: nil, activation: nil)
        let keys = numbers.map { TenureKeyset.Key(kid: "k\($0)", publicKey: key($0).publicKey) }
        return try UnverifiedTenureKeyset(
            compact: TenureKeyset(envelope, primaryKid: keys.last!.kid, keys: keys).signed(
                kid: "k\(signer)", with: key(signer)))
    }

    let bindings = StatementBindings(product: GivenStatements.product, occasion: .answer(to: GivenStatements.nonce))

    @Test func `signing keys are trusted once a trusted key vouches for them, over two rotations`() throws {
        var trusted = GivenStatements.trusted
        let stranger = try keyset([2, 3], by: 2)
        let error = #expect(throws: FormatError.self) { try stranger.verify(bindings, trusting: trusted) }
        #expect(error?.code == .unknownKey)
        try trusted.adopt(keyset([1, 2], by: 1).verify(bindings, trusting: trusted))
        #expect(trusted.kids == ["k1", "k2"])
        try trusted.adopt(keyset([2, 3], by: 2).verify(bindings, trusting: trusted))
        #expect(trusted.kids == ["k1", "k2", "k3"])
        #expect(trusted["k3"] == key(3).publicKey)
        // Keys that the new keyset omits are dropped, except for pinned keys.
        try trusted.adopt(keyset([3], by: 3).verify(bindings, trusting: trusted))
        #expect(trusted.kids == ["k1", "k3"])
        #expect(Set(trusted.vouched.keys) == ["k3"])
    }

    @Test func `a keyset with another key under a trusted key's id is refused completely`() throws {
        var trusted = GivenStatements.trusted
        let envelope = GivenStatements.envelope(lasting: 300, keyHash: nil, device: nil, activation: nil)
        let forged = TenureKeyset(
            envelope, primaryKid: "k2",
            keys: [
                .init(kid: "k2", publicKey: key(2).publicKey), .init(kid: "k1", publicKey: key(3).publicKey),
            ])
        let error = #expect(throws: FormatError.self) { try trusted.adopt(forged) }
        #expect(error?.code == .badMember)
        #expect(trusted == GivenStatements.trusted)
    }

    @Test(arguments: [
        #"[]"#, #"[{"kty":"OKP","crv":"Ed25519","kid":"","x":"AA"}]"#,
        #"[{"kty":"RSA","kid":"k1","n":"AA","e":"AQAB"}]"#, #"[{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"AA"}]"#,
        #"[{"kty":"OKP","crv":"Ed25519","kid":"k1"}]"#, #"["k1"]"#,
    ])
    func `a malformed keyset is refused`(keys: String) throws {
        let envelope = GivenStatements.envelope(lasting: 300, keyHash: nil, device: nil, activation: nil)
        let members = try FlatObject(scanning: Array(#"{"primary":"k1","keys":\#(keys)}"#.utf8))
        let error = #expect(throws: FormatError.self) { try TenureKeyset(envelope, members) }
        #expect(error?.code == .badMember)
    }
}
