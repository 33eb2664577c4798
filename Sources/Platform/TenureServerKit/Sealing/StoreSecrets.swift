package import TenureCore
package import TenureCrypto
import TenureFormats
import TenureStore

/// The random secrets of a store, which stay the same when its master key is changed.
///
/// `tenure init` creates them. Each is a setting of the store, encrypted under the master key.
package final class StoreSecrets: CatalogPart {
    /// Converts between activations' ids and their public ids.
    package let names: PublicNames
    /// Authenticates values that the server issues but doesn't store, such as the numbers in refresh tokens.
    package let tokenKey: [UInt8]
    /// The key of ``holderRef(_:of:)``.
    private let holderKey: [UInt8]
    /// Encrypts started sign-ins, which aren't stored but travel through the browser.
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

    /// Returns the reference of a holder, which a tenant's events contain in place of the name: 32 hexadecimal digits.
    ///
    /// Without the secret, it can't be computed from a name, or compared with that of another tenant.
    package func holderRef(_ holder: String, of tenant: TenantID) -> String {
        // A tenant's id contains no slash.
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

    /// Reads and decrypts the secrets of a store; `nil` if it isn't initialized.
    ///
    /// Throws `master_key_wrong` if another master key encrypted them.
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
    /// The catalog's part with the store's secrets, which several features use.
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
    /// Throws `catalog_inconsistent` if the store has none.
    package var secrets: StoreSecrets {
        get throws(ServerError) {
            guard let secrets = part(StoreSecrets.self) else { throw StoreSecrets.missing() }
            return secrets
        }
    }
}

extension CatalogCache {
    /// The secrets of the store, of the latest snapshot.
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
