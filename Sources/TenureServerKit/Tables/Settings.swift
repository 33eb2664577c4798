public import TenureStore

/// A value of the server's own, with its name.
public struct SettingRecord: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// The value.
    public let value: [UInt8]

    /// Pairs the two.
    public init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

extension SettingRecord: Stored {
    /// Values of the server's own, such as the master key's check value.
    public static let table = Table<SettingRecord>(
        "settings", key: ["name"],
        [Field("name") { $0.name }, Field("value") { $0.value }]
    ) { row throws(StoreError) in
        SettingRecord(name: try row.next(), value: try row.next())
    }
}
