public import TenureStore

/// A named value that belongs to the server instead of a tenant.
public struct SettingRecord: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: [UInt8]

    /// Creates a value from its parts.
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
