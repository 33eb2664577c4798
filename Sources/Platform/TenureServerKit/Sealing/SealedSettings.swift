package import TenureCore
import TenureCrypto
package import TenureStore

/// Settings of a tenant that contain secrets. They're plaintext in a catalog file, and encrypted as a whole in the
/// store.
///
/// `tenure apply` reads and encrypts the settings, and the server decrypts them with the catalog. No page, log or
/// response shows the secrets. A feature declares:
///
/// 1. The table: a row type that conforms to ``SealedSettingsRow``, in ``Feature/tables``. `tenure master-key rotate`
///    then encrypts its rows anew. Its invariant is ``RowRule/decrypts(where:)``.
/// 2. The settings: a type that conforms to this protocol.
/// 3. The members of the catalog file, such as ``CatalogField/secret(_:_:)``, ``CatalogField/secretFile(_:_:)`` and
///    ``CatalogField/secrets(_:_:)``, in a ``CatalogObject`` whose `check` calls
///    ``CatalogReader/check(_:_:among:of:)``. The member that reads the object gathers a ``SealedSettingsSpec``.
/// 4. The step of `tenure apply`: a ``SealedSettingsPlan`` that the feature's ``CatalogSection/prepare`` creates. Its
///    ``CatalogPlanner`` needs the version of the preparation's catalog, because a change of the master key raises it.
/// 5. The decrypted settings on the server: ``CatalogMember/init(opening:)``, from where
///    ``CatalogSnapshot/settings(_:of:)`` returns them.
///
/// ```swift
/// struct SourceSecrets: SealedSettings {
///     typealias Row = SourceSecretRow
///     static let kind = "intake"
///     var texts: [String] = []
///     ...
/// }
/// ```
package protocol SealedSettings: Sendable, Equatable {
    associatedtype Row: SealedSettingsRow

    /// The name of the kind of settings in the output of `tenure apply`, such as `kollus`.
    static var kind: String { get }
    /// The name of the settings' row if a tenant has at most one; `nil` if every row of the table has settings of this
    /// type.
    static var onlyName: Row.Name? { get }
    /// The settings as JSON, before encryption.
    var json: [UInt8] { get }
    /// Parses the output of ``json``, including that of earlier versions; `nil` for any other bytes.
    init?(json: [UInt8])
    /// The differences that `tenure apply` reports, without any secret.
    static func edits(from old: Self, to new: Self) -> [CatalogEdit]
    /// A warning for the operator about these settings; `nil` for no warning.
    var remark: String? { get }
}

extension SealedSettings {
    /// The default, `nil`, allows any number of these settings per tenant.
    package static var onlyName: Row.Name? { nil }

    /// The default reports only that secrets differ.
    package static func edits(from old: Self, to new: Self) -> [CatalogEdit] {
        [CatalogEdit("secrets", "set", "others")]
    }

    package var remark: String? { nil }
}

/// A row with a tenant's settings, encrypted under the master key. The row's key is the tenant and a name.
package protocol SealedSettingsRow: SealedRow {
    /// The type of the name that distinguishes a tenant's rows.
    associatedtype Name: Hashable, Sendable

    /// The first part of the label that the bytes are encrypted with, such as `tenure content`. The tenant and the
    /// name follow.
    ///
    /// Don't change the text, because stored rows could no longer be decrypted.
    static var sealPurpose: String { get }
    static var ofTenant: RowSet<Self> { get }
    var tenant: TenantID { get }
    var name: Name { get }
    /// The settings as JSON, encrypted.
    var sealed: [UInt8] { get }

    /// Returns the text of a name for the label that the bytes are encrypted with.
    static func text(of name: Name) -> String

    init(tenant: TenantID, name: Name, sealed: [UInt8])
}

extension SealedSettingsRow {
    package static var sealedColumn: String { "sealed" }
    package var sealedBytes: [UInt8]? { sealed }

    package var sealLabel: [UInt8] { Array("\(Self.sealPurpose)|\(tenant)|\(Self.text(of: name))".utf8) }

    package func with(sealedBytes: [UInt8]) -> Self { Self(tenant: tenant, name: name, sealed: sealedBytes) }
}

extension SealedSettingsRow where Name == String {
    package static func text(of name: String) -> String { name }
}

extension SealedSettingsRow where Name: RawRepresentable<String> {
    package static func text(of name: Name) -> String { name.rawValue }
}

extension SealedSettingsRow {
    /// Encrypts settings for a tenant.
    ///
    /// Throws ``ServerError`` if the encryption fails.
    package init(
        sealing json: [UInt8], of tenant: TenantID, named name: Name, under master: MasterKey
    ) throws(ServerError) {
        let row = Self(tenant: tenant, name: name, sealed: [])
        do throws(CryptoError) {
            self = row.with(sealedBytes: try master.seal(json, of: row))
        } catch {
            throw ServerError(
                .crypto, "The settings \(Self.text(of: name)) of \(tenant) couldn't be encrypted.",
                cause: error.code.text)
        }
    }

    /// Decrypts the settings.
    ///
    /// Throws ``ServerError`` with the code `master_key_wrong` if the settings were encrypted under another key.
    package func json(under master: MasterKey) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            return try master.open(self) ?? []
        } catch {
            throw ServerError(
                .masterKeyWrong,
                "The settings \(Self.text(of: name)) of \(tenant) can't be decrypted with this master key. Start the "
                    + "server with the right one: --master-key-file FILE.", cause: error.code.text)
        }
    }
}
