import TenureStore

extension MigrationID {
    /// The SQL of the migration; never edited after its release.
    var statements: SQL {
        switch self {
        case .first: .softwareLicenses
        case .rememberedAnswers: .rememberedAnswers
        case .appLicenses: .appLicenses
        case .trials: .trials
        case .selfRelease: .selfRelease
        case .licenseCredentials: .licenseCredentials
        }
    }
}
