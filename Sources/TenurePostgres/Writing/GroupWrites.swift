import TenureCore
import TenureStore

/// What a group of changes saves, as few statements over arrays.
struct GroupWrites {
    private var licenses: [LicenseID: License] = [:]
    private var licenseOrder: [LicenseID] = []
    private var activations: [ActivationID: Activation] = [:]
    private var activationOrder: [ActivationID] = []
    private var appLicenses: [LicenseID: AppLicense] = [:]
    private var appLicenseOrder: [LicenseID] = []
    private var others: [Statement] = []
    private var events: [Event] = []

    /// Adds a change's writes; a license, of a product or of an app, or an activation that is saved twice is saved as it is at last.
    mutating func add(_ writes: [Write]) {
        for write in writes {
            switch write {
            case .license(let license):
                if licenses.updateValue(license, forKey: license.id) == nil { licenseOrder.append(license.id) }
            case .activation(let activation):
                if activations.updateValue(activation, forKey: activation.id) == nil {
                    activationOrder.append(activation.id)
                }
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
            case .appAsset(let asset): others.append(SQL.saving(asset))
            case .marketplaceKey(let key): others.append(SQL.saving(key))
            case .account(let account): others.append(SQL.saving(account))
            case .credential(let credential): others.append(SQL.saving(credential))
            case .forgetCredentials(let moment): others.append(SQL.forgettingCredentials(before: moment))
            case .appGrant(let grant): others.append(SQL.saving(grant))
            case .appLicense(let license):
                if appLicenses.updateValue(license, forKey: license.id) == nil { appLicenseOrder.append(license.id) }
            }
        }
    }

    /// The statements that save all of it, events last.
    /// - Parameter before: The licenses as the database has them, if that is known.
    func statements(over before: RunningState?) -> [Statement] {
        var statements = others
        var moved: [License] = []
        var changed: [License] = []
        for id in licenseOrder {
            guard let license = licenses[id] else { continue }
            if let before = before?[id], license.differsOnlyInState(from: before) {
                moved.append(license)
            } else {
                changed.append(license)
            }
        }
        if !moved.isEmpty { statements.append(SQL.moving(moved)) }
        if !changed.isEmpty { statements.append(SQL.saving(changed)) }
        if !activations.isEmpty {
            statements.append(SQL.saving(activationOrder.compactMap { self.activations[$0] }))
        }
        if !appLicenses.isEmpty {
            statements.append(SQL.saving(appLicenseOrder.compactMap { self.appLicenses[$0] }))
        }
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
        default: 4
        }
    }
}
