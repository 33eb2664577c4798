/// The identifiers of the migrations that each engine holds as texts, in order and under the same names (design §3,
/// rule 8). Nothing is added here: later ones are data (``Migration``).
public enum MigrationID: String, Sendable, CaseIterable {
    /// Catalog, licenses, activations, events, signing keys, tokens and settings.
    case first = "0001-software-licenses"
    /// Answers that are given again when a request is sent again.
    case rememberedAnswers = "0002-remembered-answers"
    /// Marketplaces with their apps and keys, accounts, app grants and app licenses.
    case appLicenses = "0003-app-licenses"
    /// When devices began to try products.
    case trials = "0004-trials"
    /// Who gave a seat back, and how far holders may release devices.
    case selfRelease = "0005-self-release"
    /// What holders of licenses prove themselves with.
    case licenseCredentials = "0006-license-credentials"
}
