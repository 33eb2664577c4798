public import TenureStore

/// A named value of the server itself.
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
    /// The server's own values, such as the master key's check value.
    public static let table = Table<SettingRecord>(
        "settings", key: ["name"],
        [Field("name") { $0.name }, Field("value") { $0.value }]
    ) { row in
        SettingRecord(name: try row.next(), value: try row.next())
    }
}
