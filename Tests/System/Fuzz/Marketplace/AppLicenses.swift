import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Random bytes never verify. Used as the payload of a signed license, they are parsed or rejected.
let appLicenses = FuzzTarget("SimulatedAppLicense", longest: 768, cost: 100) { bytes in
    guard let (key, certificate) = signer else { fail("there is no key to sign with") }
    if let forged = try? UnverifiedSimulatedAppLicense(compact: bytes) {
        expect((try? forged.verify(trusting: certificate)) == nil, "a license verified that nobody signed")
    }
    // Signing is slow, and the payload of a license is always an object.
    guard (try? FlatObject(scanning: bytes)) != nil else { return }
    let input = JWSSigningInput(algorithm: .rs256, type: SimulatedAppLicense.type, payload: bytes) { header in
        header.member("x5t#S256", Base64.encodeURL(certificate.sha256))
    }
    guard let signature = try? key.sign(input.bytes),
        let signed = try? UnverifiedSimulatedAppLicense(compact: input.compact(signature: signature))
    else { fail("a signed license does not read") }
    guard let license = try? signed.verify(trusting: certificate) else { return }
    let again = license.signingInput(certificateSHA256: certificate.sha256)
    guard let signature = try? key.sign(again.bytes),
        let copy = try? UnverifiedSimulatedAppLicense(compact: again.compact(signature: signature))
    else { fail("a license that was read does not sign") }
    expect((try? copy.verify(trusting: certificate)) == license, "a license reads differently the second time")
}

// A small key makes the fuzzer faster. A request key of 384 bytes is then not valid ciphertext.
private let signer: (RSA.PrivateKey, X509Certificate)? = {
    guard let key = try? RSA.PrivateKey.generate(modulusBits: 1024),
        let certificate = try? X509Certificate.selfSigned(
            commonName: "fuzzing", usage: .signing, key: key, notBefore: 0, validSeconds: 1)
    else { return nil }
    return (key, certificate)
}()

/// Any bytes are parsed or rejected, and a parsed request parses again from its own text.
let appLicenseRequests = FuzzTarget("SimulatedAppLicenseRequest", longest: 384) { bytes in
    guard let request = try? SimulatedAppLicenseRequest(json: bytes) else { return }
    expect((try? SimulatedAppLicenseRequest(json: request.json())) == request, "it reads differently the second time")
}

/// Opens random envelopes. Without having been sealed to a key, no envelope may open.
///
/// The first byte says whether there is a key. The second sets the length of the request's text; the rest is the
/// request key.
let requestEnvelopes = FuzzTarget("RequestEnvelope", longest: 640, cost: 200) { input in
    guard input.count >= 2 else { return }
    let split = min(2 + Int(input[1]) * 4, input.count)
    let envelope = RequestEnvelope(
        request: String(decoding: input[2..<split], as: UTF8.self),
        requestKey: String(decoding: input[split...], as: UTF8.self))
    var readings = 0
    let opened = try? envelope.open(with: input[0] < 16 ? [signer?.0].compactMap(\.self) : []) { plaintext in
        readings += 1
        return plaintext
    }
    expect(opened == nil, "an envelope opened without having been sealed")
    expect(readings == 1, "an envelope was not read exactly once")
}
