/// The identifiers of the migrations that each engine holds as SQL text, in order.
///
/// Later migrations are data (``Migration``), so nothing is added here.
public enum MigrationID: String, Sendable, CaseIterable {
    /// Catalog, licenses, activations, events, signing keys, tokens and settings.
    case first = "0001-software-licenses"
    /// Stored responses, which are returned again when a request is repeated.
    case rememberedAnswers = "0002-remembered-answers"
    /// Marketplaces with their apps and keys, accounts, app grants and app licenses.
    case appLicenses = "0003-app-licenses"
    /// The start of each device's trial of a product.
    case trials = "0004-trials"
    /// Who released a device, and how often license holders may do so themselves.
    case selfRelease = "0005-self-release"
    /// The credentials with which license holders authenticate.
    case licenseCredentials = "0006-license-credentials"
}
