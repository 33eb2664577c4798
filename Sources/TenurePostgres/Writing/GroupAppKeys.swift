import TenureCore
import TenureStore

/// What a group of changes asks to see of accounts and app licenses, as columns of arrays.
struct GroupAppKeys {
    private struct Earlier: Hashable {
        let device: Digest
        let account: AccountID?
        let item: AppleItemID
        let tenant: TenantID
    }

    private struct Named: Hashable {
        let license: LicenseID
        let tenant: TenantID
        let now: Timestamp
    }

    private var licenses: Set<Named> = []
    private var earlier: Set<Earlier> = []
    private var rights: Set<RunningApps.RightName> = []
    private var owners: Set<AppLicenseOwner> = []
    private var accounts: Set<AccountRef> = []
    private var credentials: Set<Digest> = []
    private var licenseCredentials: Set<Digest> = []

    mutating func add(_ keys: LoadKeys) {
        if let account = keys.account {
            accounts.insert(account)
            owners.insert(.account(account))
        }
        if let credential = keys.credential { credentials.insert(credential) }
        if let credential = keys.licenseCredential { licenseCredentials.insert(credential) }
        guard let apps = keys.apps else { return }
        owners.formUnion(apps.owners)
        for id in apps.licenses { licenses.insert(Named(license: id, tenant: apps.tenant, now: apps.now)) }
        for item in apps.items {
            if let device = apps.device {
                earlier.insert(Earlier(device: device, account: apps.account, item: item, tenant: apps.tenant))
            }
            if let account = apps.account {
                let account = AccountRef(tenant: apps.tenant, account: account)
                rights.insert(RunningApps.RightName(account: account, item: item, now: apps.now))
            }
        }
    }

    var areEmpty: Bool {
        licenses.isEmpty && owners.isEmpty && credentials.isEmpty && licenseCredentials.isEmpty && earlier.isEmpty
    }

    /// What loads it, in this order: the locks first, for they make all that follows hold still.
    var statements: [Statement] {
        let licenses = Array(licenses)
        let names: [Value] = [
            .integers(licenses.map(\.license.number)), .texts(licenses.map(\.tenant.text)),
            .integers(licenses.map(\.now.seconds)),
        ]
        let rights = Array(rights)
        let rightNames: [Value] = [
            .texts(rights.map(\.account.tenant.text)), .texts(rights.map(\.account.account.text)),
            .integers(rights.map { Int64(bitPattern: $0.item.number) }), .integers(rights.map(\.now.seconds)),
        ]
        let earlier = Array(earlier)
        let accounts = Array(accounts)
        let enough = Value.integer(Int64(AppLicenseRules.highestDeviceLimit + 1))
        return [
            Statement(.lockOwners, lockNames(licenses.map(\.license))),
            Statement(.namedAppLicenses, Array(names.prefix(2))),
            Statement(
                .earlierAppLicenses,
                [
                    .blobs(earlier.map(\.device.bytes)), .texts(earlier.map(\.tenant.text)),
                    .integers(earlier.map { Int64(bitPattern: $0.item.number) }),
                    .texts(earlier.map { $0.account?.text }),
                ]),
            Statement(.wantedGrants, rightNames + names), Statement(.wantedHolders, rightNames + names + [enough]),
            Statement(.wantedAccounts, [.texts(accounts.map(\.tenant.text)), .texts(accounts.map(\.account.text))]),
            Statement(.wantedCredentials, [.blobs(credentials.map(\.bytes))]),
            Statement(.wantedLicenseCredentials, [.blobs(licenseCredentials.map(\.bytes))]),
        ]
    }

    private func lockNames(_ licenses: [LicenseID]) -> [Value] {
        var accounts: [AccountRef] = []
        var devices: [(Digest, TenantID)] = []
        for owner in owners {
            switch owner {
            case .account(let account): accounts.append(account)
            case .device(let device, let tenant): devices.append((device, tenant))
            }
        }
        return [
            .texts(accounts.map(\.tenant.text)), .texts(accounts.map(\.account.text)),
            .blobs(devices.map(\.0.bytes)), .texts(devices.map(\.1.text)),
            .blobs(credentials.union(licenseCredentials).map(\.bytes)),
            .integers(licenses.map(\.number)),
        ]
    }
}

extension SQL {
    /// Locks owners and credentials until the commit, in the order of numbers, so that no two servers wait for each other.
    ///
    /// An owner's lock stands for its licenses and rights, those included that have no row yet. A license's owner never
    /// changes, so it is read before it is locked; a license that is not there yet has an id that nobody can name.
    fileprivate static let lockOwners = SQL(
        """
        SELECT pg_advisory_xact_lock(number) FROM (
            SELECT hashtextextended(tenant || '/account/' || account, 0) AS number
            FROM unnest($1::text[], $2::text[]) AS w (tenant, account)
            UNION SELECT hashtextextended(tenant || '/device/' || encode(device, 'hex'), 0)
            FROM unnest($3::bytea[], $4::text[]) AS w (device, tenant)
            UNION SELECT hashtextextended('credential/' || encode(hash, 'hex'), 0) FROM unnest($5::bytea[]) AS w (hash)
            UNION SELECT hashtextextended(
                tenant || coalesce('/account/' || account, '/device/' || encode(device, 'hex')), 0)
            FROM app_licenses WHERE id = ANY ($6::bigint[])
            ORDER BY 1) AS numbers
        """)
    fileprivate static let namedAppLicenses = SQL(
        "SELECT ", AppLicense.columns,
        """
         FROM unnest($1::bigint[], $2::text[]) AS w (of_id, of_tenant)
        JOIN app_licenses ON id = of_id AND tenant = of_tenant
        """)
    fileprivate static let earlierAppLicenses = SQL(
        "SELECT ", AppLicense.columns,
        """
         FROM unnest($1::bytea[], $2::text[], $3::bigint[], $4::text[]) AS w (of_device, of_tenant, of_item, of_account)
        JOIN app_licenses ON device = of_device AND tenant = of_tenant AND item = of_item
            AND account IS NOT DISTINCT FROM of_account
        ORDER BY issued_at, id
        """)
    /// The rights that a group names, and those of the licenses that it names.
    private static let wanted: StaticString = """
        WITH wanted (of_tenant, of_account, of_item, at) AS (
            SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
            UNION SELECT l.tenant, l.account, l.item, w.at
            FROM unnest($5::bigint[], $6::text[], $7::bigint[]) AS w (id, tenant, at)
            JOIN app_licenses l ON l.id = w.id AND l.tenant = w.tenant WHERE l.account IS NOT NULL
        )

        """
    fileprivate static let wantedGrants = SQL(
        wanted, "SELECT ", AppGrant.columns,
        """
         FROM (SELECT DISTINCT of_tenant, of_account, of_item FROM wanted) AS w
        JOIN app_grants ON tenant = of_tenant AND account = of_account AND item = of_item
        """)
    fileprivate static let wantedHolders = SQL(
        wanted,
        """
        SELECT of_tenant, of_account, of_item, at, device FROM wanted CROSS JOIN LATERAL (
            SELECT DISTINCT device FROM app_licenses
            WHERE tenant = of_tenant AND account = of_account AND item = of_item AND state IN ('active', 'suspended')
                AND coalesce(term_end, 9223372036854775807) > at
            LIMIT $8) AS h
        """)
    fileprivate static let wantedAccounts = SQL(
        "SELECT ", Account.columns,
        """
         FROM unnest($1::text[], $2::text[]) AS w (of_tenant, of_account)
        JOIN accounts ON tenant = of_tenant AND account = of_account
        """)
    fileprivate static let wantedCredentials = SQL(
        "SELECT ", AccountCredential.columns, " FROM credentials WHERE hash = ANY ($1::bytea[])")
}
