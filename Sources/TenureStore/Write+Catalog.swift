extension Write {
    /// Whether the write raises the catalog's version.
    package var concernsCatalog: Bool {
        switch self {
        case .tenant, .product, .policy, .removePolicy, .removeProduct, .signingKey, .marketplace, .removeMarketplace,
            .app, .removeApp, .appAsset, .marketplaceKey:
            true
        case .license, .activation, .event, .token, .setting, .remember, .forgetAnswers, .account, .credential,
            .licenseCredential, .forgetCredentials, .appGrant, .appLicense, .trial:
            false
        }
    }
}
