public import TenureCore

/// One thing to save.
///
/// Every write of the catalog or of a signing key raises the catalog's version, once per transaction.
public enum Write: Sendable, Hashable {
    /// A license, new or changed; fails with `.keyTaken` when another one of its product has the key.
    case license(License)
    /// An activation, new or changed.
    case activation(Activation)
    /// An event; the engine gives it the next sequence number.
    case event(Event)
    /// A tenant's own facts, new or changed; its products are written apart.
    case tenant(id: TenantID, name: String)
    /// A product's own facts, new or changed; its policies are written apart.
    case product(Product)
    /// A policy, new or changed.
    case policy(Policy, in: ProductRef)
    /// The end of a policy; fails with `.inUse` when a license follows it.
    case removePolicy(PolicyRef)
    /// The end of a product and its policies; fails with `.inUse` when it has licenses.
    case removeProduct(ProductRef)
    /// A signing key, new or with another standing.
    case signingKey(SigningKeyRecord)
    /// An operator token, new or revoked.
    case token(TokenRecord)
    /// A value of the server's own; nil removes it.
    case setting(name: String, value: [UInt8]?)
    /// An answer to remember; one that was given too long ago is replaced.
    case remember(RememberedAnswer)
    /// The end of all answers given before a moment.
    case forgetAnswers(before: Timestamp)
    /// A marketplace's own facts, new or changed; its apps are written apart. Fails with `.domainTaken` when another
    /// tenant's marketplace has the domain.
    case marketplace(Marketplace, of: TenantID)
    /// The end of a marketplace; fails with `.inUse` when it has app licenses.
    case removeMarketplace(of: TenantID)
    /// An app's own facts and versions, new or changed; versions that are not named are removed with their assets.
    /// Which of a version's assets are keyed is not saved: it follows from the assets.
    case app(MarketplaceApp, of: TenantID)
    /// The end of an app, its versions and assets; fails with `.inUse` when it has app licenses.
    case removeApp(AppleItemID, of: TenantID)
    /// An asset of a version that is there, new or changed. It concerns the catalog.
    case appAsset(AppAsset)
    /// A marketplace's key, new. It concerns the catalog.
    case marketplaceKey(MarketplaceKeyRecord)
    /// An account, new or changed.
    case account(Account)
    /// A credential of an account, new or ended.
    case credential(AccountCredential)
    /// A credential of a license's holder, new or ended.
    case licenseCredential(LicenseCredential)
    /// The end of all credentials, of accounts and of licenses' holders, that ended or were used up before a moment.
    case forgetCredentials(before: Timestamp)
    /// An account's right to an app, new or changed.
    case appGrant(AppGrant)
    /// An app license, new or changed.
    case appLicense(AppLicense)
    /// A trial, new; one that is there already stays as it is.
    case trial(Trial)
}

extension [Write] {
    /// The writes that a decision's consequences come to.
    public init(_ consequences: Consequences) {
        self = []
        if let license = consequences.license { append(.license(license)) }
        if let activation = consequences.activation { append(.activation(activation)) }
        append(contentsOf: consequences.events.map(Write.event))
    }
}

extension [Write] {
    /// The writes that a decision about app licenses comes to.
    public init(_ consequences: AppConsequences) {
        self = consequences.licenses.map(Write.appLicense)
        if let grant = consequences.grant { append(.appGrant(grant)) }
        append(contentsOf: consequences.events.map(Write.event))
    }
}
