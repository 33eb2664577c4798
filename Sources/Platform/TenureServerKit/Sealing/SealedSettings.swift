package import TenureCore
import TenureCrypto
package import TenureStore

/// Settings of a tenant that contain secrets: plaintext in a catalog file, encrypted as a whole in the store.
///
/// `tenure apply` reads and encrypts them, the server decrypts them with the catalog, and no page, log or response shows
/// them. A feature declares:
///
/// 1. The table: a row type that conforms to ``SealedSettingsRow``, in ``Feature/tables``. `tenure master-key rotate`
///    then encrypts its rows anew. Its invariant is ``RowRule/decrypts(where:)``.
/// 2. The settings: a type that conforms to this protocol.
/// 3. The members of the catalog file, such as ``CatalogField/secret(_:_:)``, ``CatalogField/secretFile(_:_:)`` and
///    ``CatalogField/secrets(_:_:)``, in a ``CatalogObject`` whose `check` calls ``CatalogReader/check(_:_:among:of:)``.
///    The member that reads the object gathers a ``SealedSettingsSpec``.
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

    /// What `tenure apply` calls them, such as `kollus`.
    static var kind: String { get }
    /// The name of their row, if a tenant has at most one; `nil` if all rows of the table are such settings.
    static var onlyName: Row.Name? { get }
    /// The settings as JSON, to be encrypted.
    var json: [UInt8] { get }
    /// Reads the output of ``json``, also of earlier versions; `nil` for any other bytes.
    init?(json: [UInt8])
    /// The differences that `tenure apply` reports, without any secret.
    static func edits(from old: Self, to new: Self) -> [CatalogEdit]
    /// A warning for the operator about these settings; `nil` if there isn't one.
    var remark: String? { get }
}

extension SealedSettings {
    /// `nil`: a tenant may have any number of these settings.
    package static var onlyName: Row.Name? { nil }

    /// Reports only that secrets differ.
    package static func edits(from old: Self, to new: Self) -> [CatalogEdit] {
        [CatalogEdit("secrets", "set", "others")]
    }

    package var remark: String? { nil }
}

/// A row with a tenant's settings, encrypted under the master key; its key is the tenant and a name.
package protocol SealedSettingsRow: SealedRow {
    /// What tells a tenant's rows apart.
    associatedtype Name: Hashable, Sendable

    /// What the bytes are bound to besides the tenant and the name, such as `tenure content`.
    ///
    /// Don't change it, because stored rows couldn't be decrypted anymore.
    static var sealPurpose: String { get }
    static var ofTenant: RowSet<Self> { get }
    var tenant: TenantID { get }
    var name: Name { get }
    /// The settings as JSON, encrypted.
    var sealed: [UInt8] { get }

    /// The text of a name that the bytes are bound to.
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
    /// Throws ``ServerError`` with the code `master_key_wrong` if another key encrypted them.
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
