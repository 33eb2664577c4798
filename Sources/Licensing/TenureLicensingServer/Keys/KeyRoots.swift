import TenureCore
import TenureCrypto
import TenureLicensing
import TenureServerKit
import TenureStore

/// The roots of a tenant that the master key decrypts.
struct KeyRoots: Sendable {
    private struct Root {
        let id: KeyRootID
        let bytes: [UInt8]
    }

    private let roots: [Root]

    /// Decrypts roots, newest first; leaves out those that another master key encrypted.
    init(_ rows: [KeyRoot], under master: MasterKey) {
        roots = rows.compactMap { row in
            (try? master.open(row)).flatMap(\.self).map { Root(id: row.id, bytes: $0) }
        }
    }

    /// Whether there is no root, so that no key can be derived.
    var isEmpty: Bool { roots.isEmpty }

    /// Derives a key for a license from the newest root.
    ///
    /// - Throws: ``ServerError`` if there is no root.
    func newKey(
        of license: LicenseID, generation: Int, prefix: LicenseKeyPrefix
    ) throws(ServerError) -> (text: LicenseKeyText, derivation: LicenseKey.Derivation) {
        guard let root = roots.first else {
            throw ServerError(
                .catalogInconsistent,
                "The tenant has no key root that the master key decrypts. Restart the server, or run `tenure apply FILE`: "
                    + "both create one.")
        }
        let text = try Self.derive(from: root, of: license, generation: generation, prefix: prefix)
        return (text, LicenseKey.Derivation(root: root.id, generation: generation))
    }

    /// Derives the id of an order's license; `nil` if there is no root.
    ///
    /// The oldest root is used, because newer ones may be added and the id must stay the same.
    func orderLicense(of label: [UInt8]) throws(ServerError) -> LicenseID? {
        guard let root = roots.last else { return nil }
        do throws(CryptoError) {
            let bits = try HKDFSHA256.key(from: root.bytes, salt: [], purpose: label, length: 16)
            let number = bits[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return LicenseID(number: Int64(number & UInt64(Int64.max)))
        } catch {
            throw ServerError(.crypto, "The id of an order's license couldn't be derived.", cause: error.code.text)
        }
    }

    /// Derives the key of an order's license from the oldest root; `nil` if there is no root.
    func orderKey(
        of license: LicenseID, generation: Int, prefix: LicenseKeyPrefix
    ) throws(ServerError) -> (text: LicenseKeyText, derivation: LicenseKey.Derivation)? {
        guard let root = roots.last else { return nil }
        let text = try Self.derive(from: root, of: license, generation: generation, prefix: prefix)
        return (text, LicenseKey.Derivation(root: root.id, generation: generation))
    }

    /// The derivation of the key with which a license was issued; `nil` for a random key.
    func derivation(
        ofFirst key: LicenseKeyText, of license: LicenseID, prefix: LicenseKeyPrefix
    ) throws(ServerError) -> LicenseKey.Derivation? {
        for root in roots {
            let first = LicenseKey.Derivation.first
            if try Self.derive(from: root, of: license, generation: first, prefix: prefix) == key {
                return LicenseKey.Derivation(root: root.id, generation: first)
            }
        }
        return nil
    }

    /// The text of a license's key.
    ///
    /// `nil` for a random key, if the key's root is missing or encrypted under another master key, and if the derived
    /// key isn't the license's. Only the license's own key may be sent. Throws ``ServerError``.
    func text(of license: License) throws(ServerError) -> LicenseKeyText? {
        guard let derivation = license.keyDerivation, let prefix = license.key.prefix,
            let root = roots.first(where: { $0.id == derivation.root })
        else { return nil }
        let text = try Self.derive(
            from: root, of: license.id, generation: derivation.generation, prefix: prefix)
        return text.digest == license.key.hash ? text : nil
    }

    private static func derive(
        from root: Root, of license: LicenseID, generation: Int, prefix: LicenseKeyPrefix
    ) throws(ServerError) -> LicenseKeyText {
        do throws(CryptoError) {
            return try LicenseKeyText.derive(
                from: root.bytes, prefix: prefix, license: license, generation: generation)
        } catch {
            throw ServerError(.crypto, "A license key couldn't be derived.", cause: error.code.text)
        }
    }
}

extension KeyRoot: SealedRow {
    package static let sealedColumn = "sealed_root"
    package var sealedBytes: [UInt8]? { sealedRoot }
    package var sealLabel: [UInt8] { Array("tenure key root|\(tenant)|\(id)".utf8) }

    package func with(sealedBytes: [UInt8]) -> KeyRoot {
        KeyRoot(id: id, tenant: tenant, sealedRoot: sealedBytes, createdAt: createdAt)
    }
}

extension ServerStore {
    /// Reads and decrypts the roots of a tenant.
    func keyRoots(of tenant: TenantID, under master: MasterKey) async throws(ServerError) -> KeyRoots {
        let plan = roots
        return KeyRoots(try await fetch(plan.bind(tenant))[plan.queries], under: master)
    }
}

private let roots = QueryPlan(for: TenantID.self) { query in
    query.rows(KeyRoot.ofTenant, upTo: .everything) { [.of($0)] }
}

extension LicensingContext {
    /// Creates the missing key roots; durable before this returns.
    ///
    /// A tenant gets one if it has none that the master key decrypts. Earlier roots stay. Throws ``ServerError``.
    func makeKeyRoots() async throws(ServerError) {
        let snapshot = try await catalog.refresh()
        let rows = Dictionary(grouping: try await store.all(KeyRoot.table.all), by: \.tenant)
        for tenant in snapshot.catalog.tenants.keys.sorted()
        where KeyRoots(rows[tenant] ?? [], under: snapshot.master).isEmpty {
            try await catalog.encrypting { master throws(ServerError) in
                try await save(try keyRoot(for: tenant, under: master), under: master)
            }
        }
    }

    /// Saves a root, unless another server has saved one meanwhile.
    private func save(_ root: KeyRoot, under master: MasterKey) async throws(ServerError) {
        try await catalog.perform(Self.plan.bind(root.tenant)) { results, roots, snapshot in
            guard KeyRoots(results[roots], under: snapshot.master).isEmpty else { return TransactionResult(()) }
            try snapshot.checkEncryption(by: master)
            return TransactionResult((), [.insert(root)])
        }
    }

    private static let plan = CatalogQueryPlan(isAlone: true, for: TenantID.self) { query in
        query.rows(KeyRoot.ofTenant, upTo: .everything) { [.of($0)] }
    }

    private func keyRoot(for tenant: TenantID, under master: MasterKey) throws(ServerError) -> KeyRoot {
        var random = SecureRandom()
        let root = KeyRoot(
            id: .random(using: &random), tenant: tenant, sealedRoot: [], createdAt: clock.now())
        do throws(CryptoError) {
            return root.with(sealedBytes: try master.seal(SecureRandom.bytes(32), labelled: root.sealLabel))
        } catch {
            throw ServerError(.crypto, "A key root couldn't be created.", cause: error.code.text)
        }
    }
}
