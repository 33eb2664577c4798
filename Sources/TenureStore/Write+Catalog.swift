extension Write {
    /// Whether the write raises the catalog's version.
    package var concernsCatalog: Bool {
        switch self {
        case .tenant, .product, .policy, .removePolicy, .removeProduct, .signingKey: true
        case .license, .activation, .event, .token, .setting, .remember, .forgetAnswers: false
        }
    }
}
