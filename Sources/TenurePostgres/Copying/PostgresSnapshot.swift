import TenureCore
import TenureStore
import TenureThreads

/// A transaction on a connection of its own, and how far it has been read.
final class PostgresSnapshot: StoreSnapshot {
    private let copier: Readers
    private let walk = Monitor(StoreWalk())

    /// Reads where the one thread's connection has the transaction open.
    init(on copier: Readers) { self.copier = copier }

    func counts() async throws(StoreError) -> [StorePart: Int] {
        let counts = try await read { connection throws(StoreError) in
            try connection.first(.countParts) { row in
                StorePart.allCases.indices.map { place in Int(row.integer(Int32(place))) }
            }
        }
        return Dictionary(uniqueKeysWithValues: zip(StorePart.allCases, counts ?? []))
    }

    func next() async throws(StoreError) -> StorePage? {
        while true {
            let walk = walk.withLock { walk in walk }
            guard let part = walk.part else { return nil }
            let page = try await read { connection throws(StoreError) in try connection.page(of: part, at: walk) }
            self.walk.withLock { walk in walk.advance(over: page) }
            if page.count > 0 || part == .catalog { return page }
        }
    }

    func end() async { await copier.stop() }

    private func read<Result: Sendable>(
        _ body: @escaping @Sendable (Connection) throws(StoreError) -> Result
    ) async throws(StoreError) -> Result {
        try await copier.read { connection throws(StoreError) in
            guard connection.holdsSnapshot else {
                throw StoreError(
                    .failed, "The connection was lost while a moment of the store was read; begin the copy again.")
            }
            return try body(connection)
        }
    }
}

extension Connection {
    fileprivate func page(of part: StorePart, at walk: StoreWalk) throws(StoreError) -> StorePage {
        let limit = Value.integer(Int64(StoreWalk.pageSize))
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
            if let last = walk.activation {
                .activations(try all(.activationsAfter, [limit, .id(last)], Activation.read))
            } else {
                .activations(try all(.firstActivations, [limit], Activation.read))
            }
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
}

extension SQL {
    fileprivate static let marketplaceKeysByName = SQL(
        "SELECT ", MarketplaceKeyRecord.columns, " FROM marketplace_keys ORDER BY tenant, purpose, kid")
    fileprivate static let appAssetsAfter = SQL(
        "SELECT ", AppAsset.columns,
        """
         FROM app_assets WHERE (tenant, item, version, asset) > ($1, $2, $3, $4)
        ORDER BY tenant, item, version, asset LIMIT $5
        """)
    fileprivate static let accountsAfter = SQL(
        "SELECT ", Account.columns,
        " FROM accounts WHERE (tenant, account) > ($1, $2) ORDER BY tenant, account LIMIT $3")
    fileprivate static let credentialsAfter = SQL(
        "SELECT ", AccountCredential.columns, " FROM credentials WHERE hash > $1 ORDER BY hash LIMIT $2")
    fileprivate static let appGrantsAfter = SQL(
        "SELECT ", AppGrant.columns,
        """
         FROM app_grants WHERE (tenant, account, item) > ($1, $2, $3) ORDER BY tenant, account, item LIMIT $4
        """)
    fileprivate static let appLicensesAfter = SQL(
        "SELECT ", AppLicense.columns, " FROM app_licenses WHERE id > $1 ORDER BY id LIMIT $2")

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
