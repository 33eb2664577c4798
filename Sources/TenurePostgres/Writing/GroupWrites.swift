import TenureCore
import TenureStore

/// What a group of changes saves, as few statements over arrays.
struct GroupWrites {
    private struct AssetName: Hashable {
        let tenant: TenantID
        let asset: AssetRef
    }

    private struct GrantName: Hashable {
        let account: AccountRef
        let item: AppleItemID
    }

    private var licenses = LatestRows<LicenseID, License>()
    private var activations = LatestRows<ActivationID, Activation>()
    private var assets = LatestRows<AssetName, AppAsset>()
    private var accounts = LatestRows<AccountRef, Account>()
    private var credentials = LatestRows<Digest, AccountCredential>()
    private var licenseCredentials = LatestRows<Digest, LicenseCredential>()
    private var grants = LatestRows<GrantName, AppGrant>()
    private var appLicenses = LatestRows<LicenseID, AppLicense>()
    private var trials: [Trial] = []
    private var others: [Statement] = []
    private var events: [Event] = []

    /// Adds a change's writes; a row that is saved twice is saved as it is at last.
    mutating func add(_ writes: [Write]) {
        for write in writes {
            switch write {
            case .license(let license): licenses.add(license, named: license.id)
            case .activation(let activation): activations.add(activation, named: activation.id)
            case .event(let event): events.append(event)
            case .tenant(let id, let name): others.append(SQL.savingTenant(id, name: name))
            case .product(let product): others.append(SQL.saving(product))
            case .policy(let policy, let product): others.append(SQL.saving(policy, in: product))
            case .removePolicy(let policy): others.append(SQL.removing(policy))
            case .removeProduct(let product): others += SQL.removing(product)
            case .signingKey(let key): others.append(SQL.saving(key))
            case .token(let token): others.append(SQL.saving(token))
            case .remember(let answer): others.append(SQL.saving(answer))
            case .forgetAnswers(let moment): others.append(SQL.forgettingAnswers(before: moment))
            case .setting(let name, let value): others.append(SQL.savingSetting(name, value: value))
            case .marketplace(let marketplace, let tenant): others.append(SQL.saving(marketplace, of: tenant))
            case .removeMarketplace(let tenant): others += SQL.removingMarketplace(of: tenant)
            case .app(let app, let tenant): others += SQL.saving(app, of: tenant)
            case .removeApp(let item, let tenant): others += SQL.removing(item, of: tenant)
            case .appAsset(let asset): assets.add(asset, named: AssetName(tenant: asset.tenant, asset: asset.ref))
            case .marketplaceKey(let key): others.append(SQL.saving(key))
            case .account(let account): accounts.add(account, named: account.ref)
            case .credential(let credential): credentials.add(credential, named: credential.hash)
            case .licenseCredential(let credential): licenseCredentials.add(credential, named: credential.hash)
            case .forgetCredentials(let moment):
                credentials.removeAll { $0.isOver(before: moment) }
                licenseCredentials.removeAll { $0.isOver(before: moment) }
                others.append(SQL.forgettingCredentials(before: moment))
                others.append(SQL.forgettingLicenseCredentials(before: moment))
            case .appGrant(let grant):
                grants.add(grant, named: GrantName(account: grant.account, item: grant.item))
            case .appLicense(let license): appLicenses.add(license, named: license.id)
            case .trial(let trial): trials.append(trial)
            }
        }
    }

    /// The statements that save all of it, events last.
    /// - Parameter before: The licenses as the database has them, if that is known.
    func statements(over before: RunningState?) -> [Statement] {
        var statements = others
        var moved: [License] = []
        var changed: [License] = []
        for license in licenses.all {
            if let before = before?[license.id], license.differsOnlyInState(from: before) {
                moved.append(license)
            } else {
                changed.append(license)
            }
        }
        if !moved.isEmpty { statements.append(SQL.moving(moved)) }
        if !changed.isEmpty { statements.append(SQL.saving(changed)) }
        statements += [
            SQL.saving(activations.all, SQL.saving), SQL.saving(assets.all, SQL.saving),
            SQL.saving(accounts.all, SQL.saving), SQL.saving(credentials.all, SQL.saving),
            SQL.saving(grants.all, SQL.saving), SQL.saving(appLicenses.all, SQL.saving),
            SQL.saving(licenseCredentials.all, SQL.saving),
            SQL.saving(trials, SQL.saving),
        ].compactMap(\.self)
        if !events.isEmpty { statements += SQL.appending(events) }
        return statements
    }
}

extension [Write] {
    /// The writes of one change in their order, neighbours of a kind together.
    var inTurns: [GroupWrites] {
        var turns: [GroupWrites] = []
        var kindBefore: Int?
        for write in self {
            if write.kind != kindBefore { turns.append(GroupWrites()) }
            kindBefore = write.kind
            turns[turns.count - 1].add([write])
        }
        return turns
    }
}

extension Write {
    fileprivate var kind: Int {
        switch self {
        case .license: 0
        case .activation: 1
        case .event: 2
        case .appLicense: 3
        case .appAsset: 4
        case .account: 5
        case .credential, .licenseCredential, .forgetCredentials: 6
        case .appGrant: 7
        case .trial: 8
        default: 9
        }
    }
}

extension SQL {
    /// The statement that saves rows, if there are any.
    fileprivate static func saving<Row>(_ rows: [Row], _ statement: ([Row]) -> Statement) -> Statement? {
        rows.isEmpty ? nil : statement(rows)
    }
}

extension AccountCredential {
    /// Whether it ended or was used up before a moment.
    fileprivate func isOver(before moment: Timestamp) -> Bool {
        expiresAt.map { $0 < moment } ?? false || endedAt.map { $0 < moment } ?? false
    }
}

extension LicenseCredential {
    /// Whether it ended or was used up before a moment.
    fileprivate func isOver(before moment: Timestamp) -> Bool {
        expiresAt < moment || endedAt.map { $0 < moment } ?? false
    }
}
