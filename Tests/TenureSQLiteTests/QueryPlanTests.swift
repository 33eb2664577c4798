import TenureSQLite
import Testing

@Suite struct `Each question of the server finds its index` {
    /// The questions as `Documentation/storage.md` lists them.
    static let questions: [(statement: String, index: String)] = [
        ("SELECT * FROM licenses WHERE key_hash = x'00' AND tenant = 'a' AND product = 'p'", "licenses_by_key"),
        ("SELECT * FROM licenses WHERE tenant = 'a' AND product = 'p' AND id > 5 ORDER BY id", "licenses_by_product"),
        (
            "SELECT * FROM licenses WHERE tenant = 'a' AND product = 'p' AND policy = 'q' AND id > 5 ORDER BY id",
            "licenses_by_p"
        ),
        ("SELECT * FROM licenses WHERE id > 5 AND holder = 'h' ORDER BY id", "licenses_by_holder"),
        (
            "SELECT id FROM licenses WHERE state IN ('issued', 'active') AND term_end <= 5 ORDER BY term_end",
            "licenses_to_expire"
        ),
        (
            "SELECT 1 FROM activations WHERE license_id = 1 AND released_at IS NULL",
            "COVERING INDEX activations_by_license"
        ),
        (
            "SELECT * FROM activations WHERE license_id = 1 AND released_at IS NULL AND identity = 'm:'",
            "activations_by_license"
        ),
        ("SELECT * FROM events WHERE license_id = 1 AND sequence > 5 ORDER BY sequence", "events_by_license"),
        ("SELECT * FROM events WHERE tenant = 'a' AND sequence > 5 ORDER BY sequence", "events_by_tenant"),
        (
            "SELECT * FROM events WHERE tenant = 'a' AND account = 'b' AND sequence > 5 ORDER BY sequence",
            "events_by_account"
        ),
        (
            "SELECT * FROM app_licenses WHERE device = x'00' AND tenant = 'a' AND item = 5 AND +account IS NULL",
            "app_licenses_by_device"
        ),
        (
            "SELECT device FROM app_licenses WHERE tenant = 'a' AND account = 'b' AND item = 5 AND term_end > 5",
            "app_licenses_by_account"
        ),
        ("SELECT * FROM app_licenses WHERE tenant = 'a' AND item = 5 AND id > 5 ORDER BY id", "app_licenses_by_app"),
        (
            """
            SELECT tenant, failed_at FROM app_licenses WHERE state = 'active' AND is_replaced = 0 AND term_end IS NOT NULL
            AND term_end > 5 AND term_end <= 9
            """, "COVERING INDEX app_licenses_to_renew"
        ),
        ("SELECT * FROM accounts WHERE +tenant = 'a' AND email = 'b' COLLATE NOCASE", "accounts_by_email"),
        ("DELETE FROM credentials WHERE expires_at < 5", "credentials_by_expiry"),
        ("DELETE FROM credentials WHERE ended_at < 5", "credentials_by_end"),
        ("DELETE FROM license_credentials WHERE expires_at < 5", "license_credentials_by_expiry"),
        ("DELETE FROM license_credentials WHERE ended_at < 5", "license_credentials_by_end"),
    ]

    @Test(arguments: questions)
    func `and sorts nothing`(_ question: (statement: String, index: String)) async throws {
        let folder = try TemporaryFolder()
        await (try SQLiteStore.open(path: folder.file())).close()
        let plan = try sqlite(folder.file(), "EXPLAIN QUERY PLAN \(question.statement)")
        #expect(plan.contains(question.index), "\(plan)")
        #expect(!plan.contains("SCAN") && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
}
