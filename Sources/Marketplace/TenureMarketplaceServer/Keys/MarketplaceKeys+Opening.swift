import TenureCore
import TenureCrypto
import TenureServerKit

extension MarketplaceKeys {
    /// Decrypts the keys of one marketplace; `nil` if the set is incomplete.
    ///
    /// If there are imported keys, simulated keys are ignored, so that a real marketplace never uses them.
    ///
    /// - Throws: ``ServerError`` if a key can't be read, with the code `master_key_wrong` if another key encrypted it.
    init?(opening all: [MarketplaceKeyRecord], under master: MasterKey) throws(ServerError) {
        let isImported = all.contains { $0.origin == .imported }
        let records = all.filter { !isImported || $0.origin == .imported }
        var encryption: [Dated<SigningAssets.EncryptionKey>] = []
        var signing: [Dated<SigningAssets.SigningKey>] = []
        var distribution: SigningAssets.DistributionKey?
        var pask: [UInt8] = []
        for record in records {
            let secret = try master.open(record)
            do {
                switch (record.purpose, secret) {
                case (.encryption, let secret?):
                    let key = try SigningAssets.EncryptionKey(
                        certificate: X509Certificate(record.certificate), privateKey: RSA.PrivateKey(secret))
                    encryption.append(Dated(key: key, namedFrom: record.namedFrom))
                case (.signing, _):
                    let key = try SigningAssets.SigningKey(
                        certificate: X509Certificate(record.certificate),
                        privateKey: secret.map { try RSA.PrivateKey($0) })
                    signing.append(Dated(key: key, namedFrom: record.namedFrom))
                case (.distribution, let secret?):
                    distribution = SigningAssets.DistributionKey(
                        id: record.kid, privateKey: try P256.PrivateKey(secret))
                case (.pask, let secret?): pask = secret
                case (.encryption, nil), (.distribution, nil), (.pask, nil): break
                }
            } catch {
                throw ServerError(
                    .crypto, "The \(record.purpose.rawValue) key \(record.kid) of \(record.tenant) can't be read.",
                    cause: "\(error)")
            }
        }
        guard !encryption.isEmpty, !signing.isEmpty, let distribution, !pask.isEmpty else { return nil }
        self.records = all
        self.encryption = encryption
        self.signing = signing
        self.distribution = distribution
        self.pask = pask
    }
}

extension MarketplaceKeyRecord {
    /// Creates the encrypted records of signing assets.
    static func records(
        of assets: SigningAssets, for tenant: TenantID, under master: MasterKey, at now: Timestamp,
        namedFrom: Timestamp
    ) throws(ServerError) -> [MarketplaceKeyRecord] {
        func record(
            _ purpose: Purpose, _ kid: String, _ certificate: [UInt8], _ secret: [UInt8]?
        ) throws(CryptoError) -> MarketplaceKeyRecord {
            MarketplaceKeyRecord(
                tenant: tenant, kid: kid, purpose: purpose, origin: assets.isSimulated ? .simulated : .imported,
                certificate: certificate,
                sealedSecret: try secret.map { secret throws(CryptoError) in
                    try master.seal(secret, of: tenant, purpose: purpose, kid: kid)
                }, createdAt: now, namedFrom: namedFrom)
        }
        do throws(CryptoError) {
            let encryption = assets.encryptionKey
            let signing = assets.signingKey
            let distribution = assets.distributionKey
            return [
                try record(.encryption, encryption.id, encryption.certificate.der, encryption.privateKey.der()),
                try record(
                    .signing, signing.id, signing.certificate.der,
                    signing.privateKey.map { key throws(CryptoError) in try key.der() }),
                try record(
                    .distribution, distribution.id, distribution.privateKey.publicKey.der,
                    distribution.privateKey.der()),
                // The record gets the id of the signing key, so that no digest of the secret is published.
                try record(.pask, signing.id, [], assets.pask),
            ]
        } catch {
            throw ServerError(.crypto, "The signing assets couldn't be encrypted.", cause: error.code.text)
        }
    }
}

extension MarketplaceKeyRecord: SealedRow {
    package static let sealedColumn = "sealed_secret"
    package var sealedBytes: [UInt8]? { sealedSecret }
    package var sealLabel: [UInt8] { MasterKey.label(tenant, purpose, kid) }

    package func with(sealedBytes: [UInt8]) -> MarketplaceKeyRecord {
        MarketplaceKeyRecord(
            tenant: tenant, kid: kid, purpose: purpose, origin: origin, certificate: certificate,
            sealedSecret: sealedBytes, createdAt: createdAt, namedFrom: namedFrom)
    }
}

extension MasterKey {
    fileprivate func seal(
        _ secret: [UInt8], of tenant: TenantID, purpose: MarketplaceKeyRecord.Purpose, kid: String
    ) throws(CryptoError) -> [UInt8] {
        try seal(secret, labelled: Self.label(tenant, purpose, kid))
    }

    /// Decrypts a private key or secret; `nil` if it's stored elsewhere.
    ///
    /// - Throws: ``ServerError`` with the code `master_key_wrong` if another key encrypted it.
    func open(_ record: MarketplaceKeyRecord) throws(ServerError) -> [UInt8]? {
        guard let sealed = record.sealedSecret else { return nil }
        do throws(CryptoError) {
            return try open(sealed, labelled: Self.label(record.tenant, record.purpose, record.kid))
        } catch {
            throw ServerError(
                .masterKeyWrong,
                "The \(record.purpose.rawValue) key \(record.kid) of tenant \(record.tenant) can't be decrypted: this "
                    + "isn't "
                    + "the master key that encrypted it. Start the server with the right one: --master-key-file FILE.",
                cause: error.code.text)
        }
    }

    fileprivate static func label(
        _ tenant: TenantID, _ purpose: MarketplaceKeyRecord.Purpose, _ kid: String
    ) -> [UInt8] {
        Array("tenure marketplace key|\(tenant)|\(purpose.rawValue)|\(kid)".utf8)
    }
}
