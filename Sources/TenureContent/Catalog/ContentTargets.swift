package import TenureCore
import TenureCrypto
import TenureServerKit
package import TenureStore

/// What a tenant has with somebody else's license server, sealed whole: half of it are secrets.
package struct ContentTargetRow: Sendable, Hashable {
    /// Whose.
    package let tenant: TenantID
    /// Whose license server: `kollus`, `doverunner` or `axinom`.
    package let target: String
    /// The settings as JSON, sealed under the master key.
    package let sealed: [UInt8]

    /// Puts it together.
    package init(tenant: TenantID, target: String, sealed: [UInt8]) {
        self.tenant = tenant
        self.target = target
        self.sealed = sealed
    }
}

extension ContentTargetRow: Stored {
    /// Settings for other license servers.
    package static let table = Table<ContentTargetRow>(
        "content_targets", key: ["tenant", "target"],
        [Field("tenant") { $0.tenant }, Field("target") { $0.target }, Field("sealed") { $0.sealed }],
        parents: [TenantRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        ContentTargetRow(tenant: try row.next(), target: try row.next(), sealed: try row.next())
    }

    /// A tenant's.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

/// A secret that stands in the path of Kollus's callbacks.
package struct CallbackTokenRow: Sendable, Hashable {
    /// Whose.
    package let tenant: TenantID
    /// Counts them; a later one is newer.
    package let number: Int64
    /// The text, sealed under the master key: an operator looks it up again.
    package let sealed: [UInt8]
    /// When it no longer works; nil for the newest.
    package var endsAt: Timestamp?

    /// Puts it together.
    package init(tenant: TenantID, number: Int64, sealed: [UInt8], endsAt: Timestamp? = nil) {
        self.tenant = tenant
        self.number = number
        self.sealed = sealed
        self.endsAt = endsAt
    }
}

extension CallbackTokenRow: Stored {
    /// Secrets of callbacks.
    package static let table = Table<CallbackTokenRow>(
        "callback_tokens", key: ["tenant", "number"],
        [
            Field("tenant") { $0.tenant }, Field("number") { $0.number }, Field("sealed") { $0.sealed },
            Field("ends_at") { $0.endsAt },
        ],
        parents: [TenantRow.table.shape], changesAlone: true
    ) { row throws(StoreError) in
        CallbackTokenRow(
            tenant: try row.next(), number: try row.next(), sealed: try row.next(), endsAt: try row.next())
    }

    /// A tenant's, the oldest first.
    package static let ofTenant = table.set("of_tenant", "tenant")
}

extension MasterKey {
    /// Seals something of a tenant's content, bound to what it is for. Throws ``ServerError``.
    func seal(_ bytes: [UInt8], of tenant: TenantID, for purpose: String) throws(ServerError) -> [UInt8] {
        do {
            return try seal(bytes, labelled: Self.label(tenant, purpose))
        } catch {
            throw ServerError(.crypto, "A secret of \(tenant)'s contents could not be sealed.", cause: error.code.text)
        }
    }

    /// Opens it. Throws ``ServerError``, `master_key_wrong`.
    func open(_ sealed: [UInt8], of tenant: TenantID, for purpose: String) throws(ServerError) -> [UInt8] {
        do {
            return try open(sealed, labelled: Self.label(tenant, purpose))
        } catch {
            throw ServerError(
                .masterKeyWrong, "A secret of \(tenant)'s contents cannot be opened under this master key.",
                cause: error.code.text)
        }
    }

    private static func label(_ tenant: TenantID, _ purpose: String) -> String {
        "tenure content|\(tenant)|\(purpose)"
    }
}
