import TenureCore
import TenureStore
import TenureThreads

/// A read transaction on a connection of its own, and how far it has been read.
final class SQLiteSnapshot: StoreSnapshot {
    private struct Reading {
        let connection: Connection
        var walk = StoreWalk()
    }

    private let reading: Monitor<Reading?>

    /// Reads on a connection that nobody else uses and that is in a transaction.
    init(on connection: Connection) {
        reading = Monitor(Reading(connection: connection))
    }

    func counts() async throws(StoreError) -> [StorePart: Int] {
        try lend { reading throws(StoreError) in try reading.connection.countParts() }
    }

    func next() async throws(StoreError) -> StorePage? {
        try lend { reading throws(StoreError) in
            while let part = reading.walk.part {
                let page = try reading.connection.page(of: part, at: reading.walk)
                reading.walk.advance(over: page)
                if page.count > 0 || part == .catalog { return page }
            }
            return nil
        }
    }

    func end() async {
        reading.withLock { reading in reading = nil }
    }

    private func lend<Result>(_ body: (inout Reading) throws(StoreError) -> Result) throws(StoreError) -> Result {
        try reading.withLock { reading throws(StoreError) in
            guard var open = reading else { throw .closed }
            let result = try body(&open)
            reading = open
            return result
        }
    }
}

extension Connection {
    fileprivate func page(of part: StorePart, at walk: StoreWalk) throws(StoreError) -> StorePage {
        let limit = Value.integer(StoreWalk.pageSize)
        return switch part {
        case .catalog: .catalog(try readCatalog())
        case .settings: .settings(try all(.settings, [], SettingRecord.read))
        case .signingKeys: .signingKeys(try all(.signingKeysByName, [], SigningKeyRecord.read))
        case .tokens: .tokens(try all(.tokensByID, [], TokenRecord.read))
        case .marketplaceKeys: .marketplaceKeys(try all(.marketplaceKeysByName, [], MarketplaceKeyRecord.read))
        case .appAssets: .appAssets(try all(.appAssetsAfter, walk.afterAsset.map(Value.init) + [limit], AppAsset.read))
        case .accounts: .accounts(try all(.accountsAfter, walk.afterAccount.map(Value.init) + [limit], Account.read))
        case .credentials:
            .credentials(
                try all(.credentialsAfter, [.blob(walk.credential?.bytes ?? []), limit], AccountCredential.read))
        case .appGrants: .appGrants(try all(.appGrantsAfter, walk.afterGrant.map(Value.init) + [limit], AppGrant.read))
        case .appLicenses:
            .appLicenses(
                try all(.appLicensesAfter, [.integer(walk.appLicense?.number ?? -1), limit], AppLicense.read))
        case .licenses:
            .licenses(try all(.licensesAfter, [.integer(walk.license?.number ?? -1), limit], License.read))
        case .activations:
            .activations(
                try all(
                    .activationsAfter, [walk.activation.map { .id($0) } ?? .blob([]), limit], Activation.read))
        case .licenseCredentials:
            .licenseCredentials(
                try all(
                    .licenseCredentialsAfter, [.blob(walk.licenseCredential?.bytes ?? []), limit],
                    LicenseCredential.read))
        case .trials: .trials(try all(.trialsAfter, walk.afterTrial.map(Value.init) + [limit], Trial.read))
        case .events: .events(try all(.events, [.integer(walk.event), limit], EventRecord.read))
        case .answers:
            .answers(try all(.answersAfter, [.blob(walk.answer?.bytes ?? []), limit], RememberedAnswer.read))
        }
    }

    fileprivate func countParts() throws(StoreError) -> [StorePart: Int] {
        let counts = try first(.countParts) { row in
            StorePart.allCases.indices.map { place in Int(row.integer(Int32(place))) }
        }
        return Dictionary(uniqueKeysWithValues: zip(StorePart.allCases, counts ?? []))
    }
}

extension SQL {
    fileprivate static let marketplaceKeysByName = SQL(
        "SELECT ", MarketplaceKeyRecord.columns, " FROM marketplace_keys ORDER BY tenant, purpose, kid")
    fileprivate static let appAssetsAfter = SQL(
        "SELECT ", AppAsset.columns,
        """
         FROM app_assets WHERE (tenant, item, version, asset) > (?1, ?2, ?3, ?4)
        ORDER BY tenant, item, version, asset LIMIT ?5
        """)
    fileprivate static let accountsAfter = SQL(
        "SELECT ", Account.columns,
        " FROM accounts WHERE (tenant, account) > (?1, ?2) ORDER BY tenant, account LIMIT ?3")
    fileprivate static let credentialsAfter = SQL(
        "SELECT ", AccountCredential.columns, " FROM credentials WHERE hash > ?1 ORDER BY hash LIMIT ?2")
    fileprivate static let appGrantsAfter = SQL(
        "SELECT ", AppGrant.columns,
        """
         FROM app_grants WHERE (tenant, account, item) > (?1, ?2, ?3) ORDER BY tenant, account, item LIMIT ?4
        """)
    fileprivate static let appLicensesAfter = SQL(
        "SELECT ", AppLicense.columns, " FROM app_licenses WHERE id > ?1 ORDER BY id LIMIT ?2")

    /// In the order of ``StorePart``.
    fileprivate static let countParts = SQL(
        """
        SELECT (SELECT count(*) FROM tenants) + (SELECT count(*) FROM products) + (SELECT count(*) FROM policies)
                + (SELECT count(*) FROM marketplaces) + (SELECT count(*) FROM apps)
                + (SELECT count(*) FROM app_versions),
            (SELECT count(*) FROM settings), (SELECT count(*) FROM signing_keys), (SELECT count(*) FROM tokens),
            (SELECT count(*) FROM marketplace_keys), (SELECT count(*) FROM app_assets), (SELECT count(*) FROM accounts),
            (SELECT count(*) FROM credentials), (SELECT count(*) FROM app_grants), (SELECT count(*) FROM app_licenses),
            (SELECT count(*) FROM licenses), (SELECT count(*) FROM activations),
            (SELECT count(*) FROM license_credentials), (SELECT count(*) FROM trials), (SELECT count(*) FROM events),
            (SELECT count(*) FROM answers)
        """)
}
