package import TenureCore
package import TenureCrypto
import TenureFormats
import TenureStore

/// The random secrets of a store, which a change of the master key doesn't change.
///
/// The initialization of a store creates them. Each secret is a setting of the store, encrypted under the master key.
package final class StoreSecrets: CatalogPart {
    /// Converts between activations' ids and their public ids.
    package let names: PublicNames
    /// Authenticates values that the server issues but doesn't store, such as numbers in refresh tokens.
    package let tokenKey: [UInt8]
    /// The HMAC key with which ``holderRef(_:of:)`` computes references.
    private let holderKey: [UInt8]
    /// Encrypts the data of started sign-ins, which the browser carries because the store doesn't contain them.
    package let pendingSignIns: AES256GCM

    /// Creates the secrets from the values of their settings, 32 random bytes each.
    package init(publicNames: [UInt8], tokens: [UInt8]) throws(CryptoError) {
        names = PublicNames(secret: publicNames)
        tokenKey = tokens
        holderKey = try HKDFSHA256.key(
            from: publicNames, salt: [], purpose: Array("tenure holder references".utf8), length: 32)
        pendingSignIns = try AES256GCM(
            key: HKDFSHA256.key(from: tokens, salt: [], purpose: Array("tenure pending sign-ins".utf8), length: 32))
    }

    /// Returns the reference of a holder, which a tenant's events contain instead of the name: 32 hexadecimal digits.
    ///
    /// Without the store's secret, the reference can't be computed from a name. References of the same name at
    /// different tenants differ.
    package func holderRef(_ holder: String, of tenant: TenantID) -> String {
        // The slash separates the parts unambiguously, because a tenant's id contains no slash.
        Hex.encode(Array(HMACSHA256.code(of: Array("\(tenant)/\(holder)".utf8), under: holderKey).prefix(16)))
    }

    /// The names of the settings.
    package enum Setting: String, Sendable, CaseIterable {
        case publicNames = "secret.public_names"
        case tokens = "secret.tokens"
    }

    /// Creates the settings of a new store, with random values.
    package static func fresh(under master: MasterKey) throws(CryptoError) -> [SettingRecord] {
        var settings: [SettingRecord] = []
        for setting in Setting.allCases {
            let empty = SettingRecord(name: setting.rawValue, value: [])
            settings.append(empty.with(sealedBytes: try master.seal(SecureRandom.bytes(32), of: empty)))
        }
        return settings
    }

    /// Reads and decrypts the secrets of a store; `nil` if the store isn't initialized.
    ///
    /// Throws `master_key_wrong` if the secrets were encrypted under another master key.
    package static func read(
        from store: ServerStore, under master: MasterKey
    ) async throws(ServerError) -> StoreSecrets? {
        let plan = plan
        let results = try await store.fetch(plan.bind())
        guard let names = results[plan.queries.names], let tokens = results[plan.queries.tokens] else { return nil }
        do throws(CryptoError) {
            return try StoreSecrets(publicNames: master.open(names) ?? [], tokens: master.open(tokens) ?? [])
        } catch {
            throw ServerError(
                .masterKeyWrong, "The secrets of the store can't be decrypted with this master key.",
                cause: error.code.text)
        }
    }

    private static let plan = QueryPlan { query in
        (
            names: query.row(SettingRecord.table.key, .constant(Setting.publicNames.rawValue)),
            tokens: query.row(SettingRecord.table.key, .constant(Setting.tokens.rawValue))
        )
    }
}

extension StoreSecrets {
    static func missing() -> ServerError {
        ServerError(
            .catalogInconsistent,
            "The store lacks the secrets that `tenure init` creates. Restore a backup with `tenure restore`.")
    }
}

extension CatalogMember {
    /// The catalog's part with the store's secrets. It belongs to no single feature, because several features use the
    /// secrets.
    static let storeSecrets = CatalogMember(
        open: { store, master, scope throws(ServerError) in
            if let existing = scope.existing?.part(StoreSecrets.self) { return existing }
            return try await StoreSecrets.read(from: store, under: master)
        }
    ) { _, _ in { _, _ in } }
}

extension CatalogSnapshot {
    /// The secrets of the store.
    ///
    /// Throws `catalog_inconsistent` if the store lacks them.
    package var secrets: StoreSecrets {
        get throws(ServerError) {
            guard let secrets = part(StoreSecrets.self) else { throw StoreSecrets.missing() }
            return secrets
        }
    }
}

extension CatalogCache {
    /// The store's secrets in the latest snapshot.
    package var secrets: StoreSecrets { get throws(ServerError) { try current.secrets } }
}

extension Installation {
    package func secrets() async throws(ServerError) -> StoreSecrets {
        guard let secrets = try await StoreSecrets.read(from: context.store, under: master) else {
            throw StoreSecrets.missing()
        }
        return secrets
    }
}
