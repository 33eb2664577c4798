import TenureCore
import TenureStore

/// What a group's changes see of accounts and app licenses: what was loaded, and what changes of the group have touched.
///
/// Nothing is moved on: a change that looks at what one before it has touched is left for the next group.
struct RunningApps {
    /// A right as it is asked about at a moment.
    struct RightName: Hashable {
        let account: AccountRef
        let item: AppleItemID
        let now: Timestamp
    }

    private var licenses: [LicenseID: AppLicense] = [:]
    private var earlier: [AppLicenseOwner: [AppLicense]] = [:]
    private var grants: [AccountRef: [AppleItemID: AppGrant]] = [:]
    private var holders: [RightName: Set<Digest>] = [:]
    private var accounts: [AccountRef: Account] = [:]
    private var credentials: [Digest: AccountCredential] = [:]
    private var licenseCredentials: [Digest: LicenseCredential] = [:]

    private var touchedOwners: Set<AppLicenseOwner> = []
    private var touchedCredentials: Set<Digest> = []
    private var forgetsCredentials = false

    init() {}

    /// Reads the answers to the statements of ``GroupAppKeys``, in their order.
    init(_ answers: inout ArraySlice<Answer>) throws(StoreError) {
        answers.removeFirst()
        for license in try answers.removeFirst().all(AppLicense.read) { licenses[license.id] = license }
        for license in try answers.removeFirst().all(AppLicense.read) {
            earlier[license.owner, default: []].append(license)
        }
        for grant in try answers.removeFirst().all(AppGrant.read) {
            grants[grant.account, default: [:]][grant.item] = grant
        }
        for (right, device) in try answers.removeFirst().all(RightName.readHolder) {
            holders[right, default: []].insert(device)
        }
        for account in try answers.removeFirst().all(Account.read) { accounts[account.ref] = account }
        for credential in try answers.removeFirst().all(AccountCredential.read) {
            credentials[credential.hash] = credential
        }
        for credential in try answers.removeFirst().all(LicenseCredential.read) {
            licenseCredentials[credential.hash] = credential
        }
    }

    /// Adds what a change sees; false when only the next group can tell.
    func load(_ keys: LoadKeys, into loaded: inout Loaded) -> Bool {
        if let account = keys.account {
            if touchedOwners.contains(.account(account)) { return false }
            loaded.account = accounts[account]
        }
        if let credential = keys.credential {
            if forgetsCredentials || touchedCredentials.contains(credential) { return false }
            loaded.credential = credentials[credential]
        }
        if let credential = keys.licenseCredential {
            if forgetsCredentials || touchedCredentials.contains(credential) { return false }
            loaded.licenseCredential = licenseCredentials[credential]
        }
        guard let apps = keys.apps else { return true }
        let found = load(apps)
        let owners = apps.owners.union(found.licenses.values.map(\.owner))
        if !owners.isDisjoint(with: touchedOwners) { return false }
        loaded.apps = found
        return true
    }

    /// Notes what a change saves.
    mutating func apply(_ write: Write) {
        switch write {
        case .account(let account): touchedOwners.insert(.account(account.ref))
        case .appGrant(let grant): touchedOwners.insert(.account(grant.account))
        case .appLicense(let license): touchedOwners.insert(license.owner)
        case .credential(let credential): touchedCredentials.insert(credential.hash)
        case .licenseCredential(let credential): touchedCredentials.insert(credential.hash)
        case .forgetCredentials: forgetsCredentials = true
        default: break
        }
    }

    private func load(_ keys: AppKeys) -> LoadedApps {
        var found = LoadedApps()
        for id in keys.licenses {
            guard let license = licenses[id], license.tenant == keys.tenant else { continue }
            found.licenses[id] = license
            if let account = license.account {
                let right = AppRightRef(account: account, item: license.item)
                found.rights[right] = self.right(right, in: keys)
            }
        }
        for item in keys.items {
            if let device = keys.device {
                let owner = AppLicenseOwner(tenant: keys.tenant, account: keys.account, device: device)
                let own = (earlier[owner] ?? []).filter { $0.device == device && $0.item == item }
                if !own.isEmpty { found.earlier[item] = own }
            }
            if let account = keys.account {
                let right = AppRightRef(account: account, item: item)
                found.rights[right] = self.right(right, in: keys)
            }
        }
        return found
    }

    private func right(_ right: AppRightRef, in keys: AppKeys) -> AppRight {
        let account = AccountRef(tenant: keys.tenant, account: right.account)
        return AppRight(
            grant: grants[account]?[right.item],
            holders: holders[RightName(account: account, item: right.item, now: keys.now)] ?? [])
    }
}

extension RunningApps.RightName {
    fileprivate static func readHolder(_ row: Row) throws(StoreError) -> (RunningApps.RightName, Digest) {
        guard let account = AccountID(row.text(1)) else { throw .unreadable("an account's name") }
        let right = RunningApps.RightName(
            account: AccountRef(tenant: try row.slug(0), account: account), item: try row.item(2), now: row.moment(3))
        return (right, try row.digest(4))
    }
}
