import TenureCrypto
import TenureFormats
import TenureMarketplace

/// Random bytes never verify. Used as the payload of a signed license, they are parsed or rejected.
@_cdecl("LLVMFuzzerTestOneInput")
public func verifySimulatedAppLicense(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let (key, certificate) = Signer.only else { preconditionFailure("there is no key to sign with") }
    if let forged = try? UnverifiedSimulatedAppLicense(compact: bytes) {
        precondition((try? forged.verify(trusting: certificate)) == nil, "a license verified that nobody signed")
    }
    let input = JWSSigningInput(algorithm: .rs256, type: SimulatedAppLicense.type, payload: bytes) { header in
        header.member("x5t#S256", Base64.encodeURL(certificate.sha256))
    }
    guard let signature = try? key.sign(input.bytes),
        let signed = try? UnverifiedSimulatedAppLicense(compact: input.compact(signature: signature))
    else { preconditionFailure("a signed license does not read") }
    guard let license = try? signed.verify(trusting: certificate) else { return 0 }
    let again = license.signingInput(certificateSHA256: certificate.sha256)
    guard let signature = try? key.sign(again.bytes),
        let copy = try? UnverifiedSimulatedAppLicense(compact: again.compact(signature: signature))
    else { preconditionFailure("a license that was read does not sign") }
    precondition((try? copy.verify(trusting: certificate)) == license, "a license reads differently the second time")
    return 0
}

private enum Signer {
    static let only: (RSA.PrivateKey, X509Certificate)? = {
        guard let key = try? RSA.PrivateKey.generate(modulusBits: 1024),
            let certificate = try? X509Certificate.selfSigned(
                commonName: "fuzzing", usage: .signing, key: key, notBefore: 0, validSeconds: 1)
        else { return nil }
        return (key, certificate)
    }()
}
