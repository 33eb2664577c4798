/// How an install, update or restore failed: the cases of Apple's `MarketplaceKitError`.
enum MarketplaceKitError: String, Sendable, Hashable, CaseIterable {
    case minimumPlatformVersionNotSatisfied, noSupportedVariant, unsupportedPlatform, insufficientStorageSpace
    case appNotInstalled, missingInstallVerificationToken, invalidAlternativeDistributionPackageSignature
    case invalidAlternativeDistributionPackageURL, invalidLicense, invalidManifest, invalidURL, cancelled, networkError
    case oauthTokenError, unknown
    case missingCapabilities, installationOfMarketplaceDenied, installationRestricted, mismatchedInstallType
    case ratingRestricted, ageRatingExceptionNotNeeded, missingAgeRatingExceptionRequest, featureUnavailable

    /// Whether the error occurs only on real devices, because it depends on the hardware, Screen Time or the user's
    /// answers.
    var needsRealDevice: Bool {
        switch self {
        case .missingCapabilities, .installationOfMarketplaceDenied, .installationRestricted, .mismatchedInstallType,
            .ratingRestricted, .ageRatingExceptionNotNeeded, .missingAgeRatingExceptionRequest, .featureUnavailable:
            true
        default: false
        }
    }
}

/// The text of a server's error response, for messages.
struct ServerProblem: Sendable, Hashable {
    let status: Int
    /// The `code` of the problem document in the body; `nil` if there isn't one.
    let code: String?
    /// The sentence of the problem document as received; `nil` if there isn't one.
    ///
    /// Escape its control characters before you show it.
    let sentence: String?
}
