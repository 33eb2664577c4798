package import TenureCore
import TenureCrypto
package import TenureServerKit
package import TenureStore

/// A marketplace's secret for App Store Connect, encrypted with the master key.
package struct MarketplaceSecretRow: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// The secrets that sign notifications.
        case notifications
        /// The connection to App Store Connect's API.
        case connection
    }

    package let tenant: TenantID
    package let kind: Kind
    /// The secret as JSON, encrypted.
    package let sealed: [UInt8]

    package init(tenant: TenantID, kind: Kind, sealed: [UInt8]) {
        self.tenant = tenant
        self.kind = kind
        self.sealed = sealed
    }
}

extension MarketplaceSecretRow: Stored {
    package static let table = Table<MarketplaceSecretRow>(
        "marketplace_secrets", key: ["tenant", "kind"],
        [Field("tenant") { $0.tenant }, Field("kind") { $0.kind }, Field("sealed") { $0.sealed }],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        MarketplaceSecretRow(tenant: try row.next(), kind: try row.next(), sealed: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension MarketplaceSecretRow: SealedRow {
    package static let sealedColumn = "sealed"
    package var sealedBytes: [UInt8]? { sealed }
    package var sealLabel: [UInt8] { MasterKey.label(tenant, kind) }

    package func with(sealedBytes: [UInt8]) -> MarketplaceSecretRow {
        MarketplaceSecretRow(tenant: tenant, kind: kind, sealed: sealedBytes)
    }
}

extension MasterKey {
    /// Encrypts a marketplace's secret.
    ///
    /// - Throws: ``ServerError`` if the encryption fails.
    package func seal(
        _ bytes: [UInt8], of tenant: TenantID, as kind: MarketplaceSecretRow.Kind
    ) throws(ServerError) -> MarketplaceSecretRow {
        do {
            let sealed = try seal(bytes, labelled: Self.label(tenant, kind))
            return MarketplaceSecretRow(tenant: tenant, kind: kind, sealed: sealed)
        } catch {
            throw ServerError(
                .crypto, "A secret of \(tenant)'s marketplace couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Decrypts a marketplace's secret.
    ///
    /// - Throws: ``ServerError`` with the code `master_key_wrong` if another key encrypted it.
    package func open(_ row: MarketplaceSecretRow) throws(ServerError) -> [UInt8] {
        do {
            return try open(row.sealed, labelled: Self.label(row.tenant, row.kind))
        } catch {
            throw ServerError(
                .masterKeyWrong, "A secret of \(row.tenant)'s marketplace can't be decrypted with this master key.",
                cause: error.code.text)
        }
    }

    fileprivate static func label(_ tenant: TenantID, _ kind: MarketplaceSecretRow.Kind) -> [UInt8] {
        Array("tenure marketplace secret|\(tenant)|\(kind.rawValue)".utf8)
    }
}
