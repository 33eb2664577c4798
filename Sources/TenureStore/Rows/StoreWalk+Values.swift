import TenureCore

extension StoreWalk {
    /// The names that the last app asset read has, or that no asset precedes: tenant, app, version, asset.
    package var afterAsset: [StoredValue] {
        guard let asset else { return [.text(""), .integer(0 as Int64), .integer(0 as Int64), .text("")] }
        return [
            .tenant(asset.tenant), .item(asset.ref.item), .version(asset.ref.version), .text(asset.ref.asset.text),
        ]
    }

    /// The names that the last account read has, or that no account precedes: tenant, account.
    package var afterAccount: [StoredValue] {
        guard let account else { return [.text(""), .text("")] }
        return [.tenant(account.tenant), .account(account.account)]
    }

    /// The names that the last trial read has, or that no trial precedes: tenant, product, device.
    package var afterTrial: [StoredValue] {
        guard let trial else { return [.text(""), .text(""), .blob([])] }
        return [.tenant(trial.product.tenant), .text(trial.product.product.text), .digest(trial.device)]
    }

    /// The names that the last grant read has, or that no grant precedes: tenant, account, app.
    package var afterGrant: [StoredValue] {
        guard let grant else { return [.text(""), .text(""), .integer(0 as Int64)] }
        return [.tenant(grant.account.tenant), .account(grant.account.account), .item(grant.item)]
    }
}
