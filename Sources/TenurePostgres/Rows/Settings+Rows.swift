import TenureStore

extension SettingRecord {
    static func read(_ row: Row) throws(StoreError) -> SettingRecord {
        SettingRecord(name: row.text(0), value: row.bytes(1))
    }
}

extension SQL {
    static let settings = SQL("SELECT name, value FROM settings ORDER BY name")
    static let setting = SQL("SELECT value FROM settings WHERE name = $1")

    private static let insertSetting = SQL(
        "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value")

    private static let deleteSetting = SQL("DELETE FROM settings WHERE name = $1")

    static func savingSetting(_ name: String, value: [UInt8]?) -> Statement {
        guard let value else { return Statement(deleteSetting, [.text(name)]) }
        return Statement(insertSetting, [.text(name), .blob(value)])
    }
}
