/// What a store consists of, in the order in which a copy saves it: what is named comes before what names it.
public enum StorePart: String, Sendable, Hashable, CaseIterable {
    /// Tenants, products, policies, marketplaces, apps and versions, with the catalog's version.
    case catalog
    /// Values of the server's own, such as the master key's check value.
    case settings
    /// Keys that sign leases, sealed.
    case signingKeys = "signing keys"
    /// Operators' tokens, hashed; revoked ones too.
    case tokens
    /// Keys of marketplaces, sealed.
    case marketplaceKeys = "marketplace keys"
    /// Assets of apps with their keys.
    case appAssets = "app assets"
    /// People at marketplaces.
    case accounts
    /// What accounts prove themselves with, hashed.
    case credentials
    /// Rights of accounts to apps.
    case appGrants = "app grants"
    /// App licenses in every state.
    case appLicenses = "app licenses"
    /// Licenses in every state.
    case licenses
    /// Activations, released ones too.
    case activations
    /// What holders of licenses prove themselves with, hashed.
    case licenseCredentials = "license credentials"
    /// When devices began to try products.
    case trials
    /// Events with their sequence numbers.
    case events
    /// Answers that are given again when a request is sent again.
    case answers
}
