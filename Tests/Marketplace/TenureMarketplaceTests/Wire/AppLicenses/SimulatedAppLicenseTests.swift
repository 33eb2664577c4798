import TenureCrypto
import TenureFormats
import TenureMarketplace
import Testing

@Suite struct SimulatedAppLicenseTests {
    struct File: Decodable {
        struct Case: Decodable {
            let name, license: String
        }
        let certificate, payload, license: String
        let badSignature, malformed, badMember: [Case]
    }

    let file: File
    let certificate: X509Certificate
    let license = SimulatedAppLicense(
        requestID: .max, deviceID: [0, 1, 2, 3, 4, 5],
        licenses: [
            .init(
                licenseID: 9_007_199_254_740_993, issuedTime: 1_795_251_039, duration: 2_592_000,
                appKeys: [.init(appleItemID: 6_483_539_426, keyBlobSHA256: Array(repeating: 0xAB, count: 32))]),
            .init(
                licenseID: UInt64(Int64.max) - 1, issuedTime: 1_795_251_039, duration: 0,
                appKeys: [.init(appleItemID: 6_497_405_838, keyBlobSHA256: Array(repeating: 0xCD, count: 32))],
                revokedAppleItemIDs: [1]),
        ])

    init() throws {
        file = try Vectors.read("simulated-app-license", as: File.self)
        certificate = try X509Certificate(#require(Hex.decode(file.certificate)))
    }

    func verified(_ text: String) throws(FormatError) -> SimulatedAppLicense {
        try UnverifiedSimulatedAppLicense(compact: Array(text.utf8)).verify(trusting: certificate)
    }

    @Test func `a simulated license has the same bytes as one that another library signed, and verifies`() throws {
        #expect(try verified(file.license) == license)
        struct Key: Decodable { let privateKey: String }
        let key = try RSA.PrivateKey(#require(Hex.decode(Vectors.read("rsa-3072", as: Key.self).privateKey)))
        let input = license.signingInput(certificateSHA256: certificate.sha256)
        #expect(try JWSSigningInput(bytes: input.bytes) == input)
        #expect(try input.compact(signature: key.sign(input.bytes)) == Array(file.license.utf8))
    }

    @Test func `a simulated app license is refused if its type, algorithm, certificate or signature is wrong`() {
        #expect(file.badSignature.count == 14)
        for refused in file.badSignature {
            let error = #expect(throws: FormatError.self, "\(refused.name)") { try verified(refused.license) }
            #expect(error?.code == .badSignature, "\(refused.name)")
        }
    }

    @Test func `a simulated app license that isn't a compact JWS is refused`() {
        #expect(file.malformed.count == 9)
        for refused in file.malformed {
            let error = #expect(throws: FormatError.self, "\(refused.name)") { try verified(refused.license) }
            #expect(error?.code == .malformed, "\(refused.name)")
        }
        let long = [UInt8](repeating: UInt8(ascii: "A"), count: UnverifiedJWS.longest + 1)
        #expect(throws: FormatError.self) { try UnverifiedSimulatedAppLicense(compact: long) }
    }

    @Test func `a simulated app license with a malformed payload is refused`() {
        #expect(file.badMember.count == 6)
        for refused in file.badMember {
            let error = #expect(throws: FormatError.self, "\(refused.name)") { try verified(refused.license) }
            #expect(error?.code == .badMember, "\(refused.name)")
        }
    }

    @Test func `a simulated app license without entries is valid`() throws {
        let key = try RSA.PrivateKey.generate(modulusBits: 1024)
        let certificate = try X509Certificate.selfSigned(
            commonName: "signing", usage: .signing, key: key, notBefore: 0, validSeconds: 1)
        let empty = SimulatedAppLicense(requestID: 0, deviceID: [], licenses: [])
        let input = empty.signingInput(certificateSHA256: certificate.sha256)
        let compact = try input.compact(signature: key.sign(input.bytes))
        #expect(try UnverifiedSimulatedAppLicense(compact: compact).verify(trusting: certificate) == empty)
    }
}
