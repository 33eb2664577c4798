import TenureCrypto
import TenureFormats
import Testing

@Suite struct JWSTests {
    @Test func `each kind of key verifies only signatures of its own algorithm`() throws {
        let rsa = try RSA.PrivateKey.generate(modulusBits: 1024)
        let p256 = try P256.PrivateKey.generate()
        let ed25519 = Ed25519.PrivateKey.generate()
        let keys: [JWSVerificationKey] = [.rs256(rsa.publicKey), .es256(p256.publicKey), .edDSA(ed25519.publicKey)]
        let payload = Array("{\"a\":1}".utf8)
        for signer in keys {
            let input = JWSSigningInput(algorithm: signer.algorithm, type: "t", payload: payload)
            let signature: [UInt8] =
                switch signer {
                case .rs256: try rsa.sign(input.bytes)
                case .es256: try p256.sign(input.bytes)
                case .edDSA: ed25519.sign(input.bytes)
                }
            let document = try UnverifiedJWS(compact: input.compact(signature: signature))
            for key in keys {
                let read = try? document.payload(ofType: "t", signedBy: key)
                #expect(read == (key == signer ? payload : nil), "\(signer.algorithm) \(key.algorithm)")
            }
            #expect(throws: FormatError.self) { try document.payload(ofType: "u", signedBy: signer) }
            // Anyone who knows the public key could sign this token.
            let shared = JWSSigningInput(algorithm: .hs256, type: "t", payload: payload)
            let forged = try UnverifiedJWS(
                compact: shared.compact(signature: HMACSHA256.code(of: shared.bytes, under: ed25519.publicKey.bytes)))
            #expect(throws: FormatError.self) { try forged.payload(ofType: "t", signedBy: signer) }
        }
    }

    @Test func `the signature of the example in RFC 7515, A.3, is valid`() throws {
        // The coordinates of the key, as a SubjectPublicKeyInfo on P-256.
        let header = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d03010703420004"))
        let x = try #require(Base64.decodeURL("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        let y = try #require(Base64.decodeURL("x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"))
        let key = try P256.PublicKey(der: header + x + y)
        let input =
            "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        let signature = try #require(
            Base64.decodeURL("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"))
        #expect(key.isValidSignature(signature, for: Array(input.utf8)))
        let compact = try JWSSigningInput(bytes: Array(input.utf8)).compact(signature: signature)
        #expect(try UnverifiedJWS(compact: compact).header.string("alg") == .value("ES256"))
    }

    @Test(arguments: ["", "a", "YQ", "YQ.YQ.YQ", "YQ.Y Q", "YQ.YQ=", "YQ."])
    func `signing input that doesn't consist of two base64url parts is refused`(text: String) {
        let isTwo = text == "YQ."
        #expect(((try? JWSSigningInput(bytes: Array(text.utf8))) != nil) == isTwo)
    }
}
