import TenureStore

extension MigrationID {
    /// What the migration does to a database; never edited once released.
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
