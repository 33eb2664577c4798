import TenureCrypto
import TenureFormats
import TenureLicensing
import Testing

@Suite struct KeylightKeysetTests {
    let one = Ed25519.PrivateKey.generate().publicKey
    let two = Ed25519.PrivateKey.generate().publicKey

    @Test func `a Keylight keyset is read back unchanged from its JSON`() throws {
        let keyset = try KeylightKeyset(
            primaryKid: "k2", keys: [.init(kid: "k1", publicKey: one), .init(kid: "k2", publicKey: two)])
        #expect(try KeylightKeyset(json: keyset.json()) == keyset)
        #expect(keyset.trusted == ["k1": one, "k2": two])
    }

    @Test func `a keyset's JSON has exactly the members of Keylight's format`() throws {
        let key = try Ed25519.PrivateKey(seed: Array(1...32)).publicKey
        let keyset = try KeylightKeyset(primaryKid: "k1", keys: [.init(kid: "k1", publicKey: key)])
        #expect(
            String(decoding: keyset.json(), as: UTF8.self)
                == #"{"primary_kid":"k1","keys":[{"kid":"k1","alg":"ed25519","#
                + #""public_key":"ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="}]}"#)
    }

    @Test func `keys of a keyset whose algorithm isn't Ed25519 are ignored`() throws {
        let text = #"""
            {"primary_kid":"k1","more":1,"keys":[{"kid":"x","alg":"ml-dsa-65","public_key":"AA=="},
            {"kid":"k1","alg":"ed25519","public_key":"\#(Base64.encode(one.bytes))","use":"sig"}]}
            """#
        #expect(try KeylightKeyset(json: Array(text.utf8)).trusted == ["k1": one])
    }

    @Test(arguments: [
        #"{"primary_kid":"k1","keys":[]}"#, #"{"keys":[]}"#, #"{"primary_kid":"k1"}"#,
        #"{"primary_kid":"k1","keys":[{"kid":"k1","alg":"ed25519","public_key":"AAAA"}]}"#,
        #"{"primary_kid":"k1","keys":[{"kid":"k1","alg":"ed25519","public_key":"*"}]}"#,
        #"{"primary_kid":"k1","keys":[{"kid":"k1","alg":"ed25519"}]}"#, #"{"primary_kid":"k1","keys":["k1"]}"#,
    ])
    func `an incomplete or malformed keyset is refused`(text: String) {
        let error = #expect(throws: FormatError.self) { try KeylightKeyset(json: Array(text.utf8)) }
        #expect(error?.code == .badMember)
    }

    @Test func `key ids that are duplicate, empty or contain a separator are refused`() {
        for kids in [["k1", "k1"], ["k1", ""], ["k1", "k|2"], ["k1", "k,2"]] {
            #expect(throws: FormatError.self) {
                try KeylightKeyset(primaryKid: "k1", keys: kids.map { .init(kid: $0, publicKey: one) })
            }
        }
    }
}
