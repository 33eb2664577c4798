import Foundation
import GoldenFiles
import TenureCrypto
import TenureFormats
import Testing

@testable import TenureMarketplaceServer

/// Keys and certificates from `Tests/Vectors`, because generating new ones is slow.
struct Golden {
    struct Keys: Decodable { let privateKey: String }
    struct Requests: Decodable { let oldKey: String }
    struct Curves: Decodable { let otherCurve: String }
    struct Certificates: Decodable {
        struct Certificate: Decodable { let der, pem: String }
        let vectors: [Certificate]
        let otherKind: String
    }

    /// An RSA-3072 key in PKCS#8.
    let key: [UInt8]
    /// Another RSA-3072 key.
    let otherKey: [UInt8]
    /// A P-384 key.
    let otherCurve: [UInt8]
    /// The first certificate is for `key` and valid from 2026-01-02T03:04:05Z to 2028-02-29T23:59:59Z. The second is
    /// for `key` and valid until 2050. The third is for an RSA-2048 key.
    let certificates: [[UInt8]]
    /// The first certificate as PEM.
    let pem: [UInt8]
    /// A certificate of a P-256 key.
    let otherKind: [UInt8]

    init() throws {
        key = try #require(Hex.decode(Self.read("rsa-3072", as: Keys.self).privateKey))
        otherKey = try #require(Hex.decode(Self.read("app-license-request", as: Requests.self).oldKey))
        otherCurve = try #require(Hex.decode(Self.read("p256", as: Curves.self).otherCurve))
        let file = try Self.read("x509", as: Certificates.self)
        certificates = try file.vectors.map { try #require(Hex.decode($0.der)) }
        pem = Array(file.vectors[0].pem.utf8)
        otherKind = try #require(Hex.decode(file.otherKind))
    }

    /// Returns a certificate for `otherKey`, valid until 2106.
    func otherCertificate() throws -> [UInt8] {
        try X509Certificate.selfSigned(
            commonName: "other", usage: .signing, key: RSA.PrivateKey(otherKey), notBefore: 0, validSeconds: 1 << 32
        ).der
    }

    func privateKey() throws -> RSA.PrivateKey { try RSA.PrivateKey(key) }

    func certificate() throws -> X509Certificate { try X509Certificate(certificates[0]) }

    private static func read<File: Decodable>(_ name: String, as type: File.Type) throws -> File {
        return try JSONDecoder().decode(
            type, from: Data(contentsOf: URL.packageRoot.appending(path: "Tests/Vectors/\(name).json")))
    }
}
