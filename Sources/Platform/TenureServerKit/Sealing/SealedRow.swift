package import TenureStore

/// A row with a secret that is encrypted under the master key.
///
/// Every row type with such a column must conform. `tenure master-key rotate` then encrypts its secrets under the new
/// key, and `tenure doctor --deep` checks that they can be decrypted.
package protocol SealedRow: Stored {
    /// The column with the encrypted bytes.
    static var sealedColumn: String { get }
    /// The encrypted bytes; `nil` if the row has no secret.
    var sealedBytes: [UInt8]? { get }
    /// The label that the bytes are encrypted with, so that they can't be decrypted in another row.
    var sealLabel: [UInt8] { get }
    /// Returns the row with other encrypted bytes.
    func with(sealedBytes: [UInt8]) -> Self
}

extension SealedRow {
    /// The table, without the type of its rows.
    static var untypedTable: TableShape { table.shape }
}

extension StoreSchema {
    /// The types of the rows that may contain secrets, in the order of the tables.
    package var sealedRows: [any SealedRow.Type] { kept.compactMap { $0.row as? any SealedRow.Type } }
}

extension SigningKeyRecord: SealedRow {
    package static let sealedColumn = "sealed_seed"
    package var sealedBytes: [UInt8]? { sealedSeed }
    package var sealLabel: [UInt8] { MasterKey.seedLabel(tenant, kid) }

    package func with(sealedBytes: [UInt8]) -> SigningKeyRecord {
        SigningKeyRecord(
            tenant: tenant, kid: kid, status: status, publicKey: publicKey, sealedSeed: sealedBytes,
            createdAt: createdAt, publishedUntil: publishedUntil, span: span)
    }
}

extension SigningKeyRecord.Prepared: SealedRow {
    package static let sealedColumn = "sealed_seed"
    package var sealedBytes: [UInt8]? { sealedSeed }
    package var sealLabel: [UInt8] { MasterKey.seedLabel(tenant, kid) }

    package func with(sealedBytes: [UInt8]) -> SigningKeyRecord.Prepared {
        SigningKeyRecord.Prepared(
            tenant: tenant, kid: kid, publicKey: publicKey, sealedSeed: sealedBytes, createdAt: createdAt)
    }
}

extension IdempotentResponse: SealedRow {
    package static let sealedColumn = "sealed"
    package var sealedBytes: [UInt8]? { sealed }
    package var sealLabel: [UInt8] { MasterKey.answerLabel(key) }

    package func with(sealedBytes: [UInt8]) -> IdempotentResponse {
        var response = self
        response.sealed = sealedBytes
        return response
    }
}

extension SettingRecord: SealedRow {
    package static let sealedColumn = "value"
    /// The value of a setting that is one of the store's secrets; `nil` for any other setting, because it isn't
    /// encrypted.
    package var sealedBytes: [UInt8]? { StoreSecrets.Setting(rawValue: name) == nil ? nil : value }
    package var sealLabel: [UInt8] { Array("tenure store secret|\(name)".utf8) }

    package func with(sealedBytes: [UInt8]) -> SettingRecord { SettingRecord(name: name, value: sealedBytes) }
}
