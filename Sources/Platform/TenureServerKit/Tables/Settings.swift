public import TenureStore

/// A named value of the server, which doesn't belong to a tenant.
public struct SettingRecord: Sendable, Hashable {
    /// The setting's name, such as `store.id`.
    public let name: String
    /// The setting's value, whose format depends on the name.
    public let value: [UInt8]

    /// Creates a setting.
    public init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

extension SettingRecord: Stored {
    /// The server's named values, such as the master key's check value.
    public static let table = Table<SettingRecord>(
        "settings", key: ["name"],
        [Field("name") { $0.name }, Field("value") { $0.value }]
    ) { row in
        SettingRecord(name: try row.next(), value: try row.next())
    }
}
