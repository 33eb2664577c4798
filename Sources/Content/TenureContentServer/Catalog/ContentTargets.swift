package import TenureCore
import TenureCrypto
import TenureServerKit
package import TenureStore

/// A tenant's settings for another license server, encrypted as a whole because they contain secrets.
package struct ContentTargetRow: Sendable, Hashable {
    package let tenant: TenantID
    /// The license server: `kollus`, `doverunner` or `axinom`.
    package let target: String
    /// The settings as JSON, encrypted under the master key.
    package let sealed: [UInt8]

    package init(tenant: TenantID, target: String, sealed: [UInt8]) {
        self.tenant = tenant
        self.target = target
        self.sealed = sealed
    }
}

extension ContentTargetRow: Stored {
    /// The settings for other license servers, of all tenants.
    package static let table = Table<ContentTargetRow>(
        "content_targets", key: ["tenant", "target"],
        [Field("tenant") { $0.tenant }, Field("target") { $0.target }, Field("sealed") { $0.sealed }],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        ContentTargetRow(tenant: try row.next(), target: try row.next(), sealed: try row.next())
    }

    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension ContentTargetRow: SealedSettingsRow {
    package static let sealPurpose = "tenure content"
    package var name: String { target }

    package init(tenant: TenantID, name: String, sealed: [UInt8]) {
        self.init(tenant: tenant, target: name, sealed: sealed)
    }
}

/// A secret in the path of Kollus's callbacks, which authenticates them.
package struct CallbackTokenRow: Sendable, Hashable {
    package let tenant: TenantID
    /// A number that increases with each new token.
    package let number: Int64
    /// The token, encrypted under the master key so that an operator can view it again.
    package let sealed: [UInt8]
    /// When the token stops working; `nil` for the newest.
    package var endsAt: Timestamp?

    package init(tenant: TenantID, number: Int64, sealed: [UInt8], endsAt: Timestamp? = nil) {
        self.tenant = tenant
        self.number = number
        self.sealed = sealed
        self.endsAt = endsAt
    }
}

extension CallbackTokenRow: Stored {
    package static let table = Table<CallbackTokenRow>(
        "callback_tokens", key: ["tenant", "number"],
        [
            Field("tenant") { $0.tenant }, Field("number") { $0.number }, Field("sealed") { $0.sealed },
            Field("ends_at") { $0.endsAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)], changesAlone: true
    ) { row in
        CallbackTokenRow(
            tenant: try row.next(), number: try row.next(), sealed: try row.next(), endsAt: try row.next())
    }

    /// The callback tokens of a tenant, oldest first.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension CallbackTokenRow: SealedRow {
    package static let sealedColumn = "sealed"
    package var sealedBytes: [UInt8]? { sealed }
    package var sealLabel: [UInt8] { MasterKey.label(tenant, Self.purpose) }

    package func with(sealedBytes: [UInt8]) -> CallbackTokenRow {
        CallbackTokenRow(tenant: tenant, number: number, sealed: sealedBytes, endsAt: endsAt)
    }
}

extension MasterKey {
    /// Encrypts a secret of a tenant's content, bound to its purpose.
    func seal(_ bytes: [UInt8], of tenant: TenantID, for purpose: String) throws(ServerError) -> [UInt8] {
        do {
            return try seal(bytes, labelled: Self.label(tenant, purpose))
        } catch {
            throw ServerError(.crypto, "A content secret of \(tenant) couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Decrypts a secret that was encrypted for the same tenant and purpose.
    ///
    /// - Throws: ``ServerError`` `master_key_wrong`.
    func open(_ sealed: [UInt8], of tenant: TenantID, for purpose: String) throws(ServerError) -> [UInt8] {
        do {
            return try open(sealed, labelled: Self.label(tenant, purpose))
        } catch {
            throw ServerError(
                .masterKeyWrong, "A content secret of \(tenant) can't be decrypted with this master key.",
                cause: error.code.text)
        }
    }

    fileprivate static func label(_ tenant: TenantID, _ purpose: String) -> [UInt8] {
        Array("tenure content|\(tenant)|\(purpose)".utf8)
    }
}
