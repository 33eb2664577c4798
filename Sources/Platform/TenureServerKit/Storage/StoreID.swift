import TenureCrypto
import TenureFormats
import TenureStore

/// The random id of a store, which never changes.
///
/// The initialization of a store creates the id. Every copy and backup of the store has the same id.
package enum StoreID {
    package static let setting = "store.id"

    /// Returns a setting with a new id.
    package static func fresh() -> SettingRecord {
        SettingRecord(name: setting, value: Array(Hex.encode(SecureRandom.bytes(16)).utf8))
    }

    /// Whether two stores are copies or states of the same store.
    static func isSame(_ one: any Store, _ other: any Store) async throws(StoreError) -> Bool {
        guard let id = try await one.setting(setting) else { return false }
        return try await other.setting(setting) == id
    }
}
