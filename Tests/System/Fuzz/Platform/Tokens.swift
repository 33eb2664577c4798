import TenureCore
import TenureCrypto

@testable import TenureFormats

private let key = try? Ed25519.PrivateKey(seed: [UInt8](repeating: 1, count: 32))

/// Compact tokens are accepted only within their limit and never with a random signature. A token that parses has
/// exactly one spelling.
let compactTokens = FuzzTarget("CompactToken", longest: 512) { bytes in
    guard let token = try? UnverifiedJWS(compact: bytes) else { return }
    expect(bytes.count { $0 == UInt8(ascii: ".") } == 2 && text(bytes) != nil, "a token of other than three parts")
    guard let key else { fail("there is no key") }
    let type = token.header.string("typ").value ?? ""
    expect((try? token.payload(ofType: type, signedBy: .edDSA(key.publicKey))) == nil, "what nobody signed verified")
    if let end = bytes.lastIndex(of: UInt8(ascii: ".")) {
        expect((try? JWSSigningInput(bytes: Array(bytes[..<end]))) != nil, "a token's input does not read")
    }
}

/// A statement's envelope is written back unchanged, and checking any bindings of it never traps.
let envelopes = FuzzTarget("StatementEnvelope", longest: 640) { bytes in
    guard let object = try? FlatObject(scanning: bytes), let envelope = try? StatementEnvelope(object) else { return }
    let written = JSONWriter.object { envelope.write(into: &$0) }
    guard let again = try? FlatObject(scanning: written) else { fail("what was written does not read") }
    expect((try? StatementEnvelope(again)) == envelope, "an envelope reads differently the second time")
    let moments = [Int64.min, 0, .max].map(Timestamp.init(seconds:))
    for moment in moments {
        let bindings = StatementBindings(
            product: envelope.product, keyHash: envelope.keyHash, device: envelope.device,
            activation: envelope.activation, notBefore: moment, occasion: .kept(at: moment))
        try? bindings.check(envelope)
    }
}
