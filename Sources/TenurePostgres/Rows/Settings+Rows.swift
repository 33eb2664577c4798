import TenureStore

extension SQL {
    static let setting = SQL("SELECT value FROM settings WHERE name = $1")

    private static let insertSetting = SQL(
        "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value")

    static func savingSetting(_ name: String, value: [UInt8]) -> Statement {
        Statement(insertSetting, [.text(name), .blob(value)])
    }
}
