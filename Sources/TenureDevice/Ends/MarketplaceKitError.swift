/// How the system names the end of an install, an update or a restore: the cases of Apple's `MarketplaceKitError`
/// (`spec/apple.md` §8).
package enum MarketplaceKitError: String, Sendable, Hashable, CaseIterable {
    case minimumPlatformVersionNotSatisfied, noSupportedVariant, unsupportedPlatform, insufficientStorageSpace
    case appNotInstalled, missingInstallVerificationToken, invalidAlternativeDistributionPackageSignature
    case invalidAlternativeDistributionPackageURL, invalidLicense, invalidManifest, invalidURL, cancelled, networkError
    case oauthTokenError, unknown
    case missingCapabilities, installationOfMarketplaceDenied, installationRestricted, mismatchedInstallType
    case ratingRestricted, ageRatingExceptionNotNeeded, missingAgeRatingExceptionRequest, featureUnavailable

    /// Whether only a real device can meet it: it comes from the hardware, from Screen Time, or from who is asked at the
    /// screen.
    package var needsRealDevice: Bool {
        switch self {
        case .missingCapabilities, .installationOfMarketplaceDenied, .installationRestricted, .mismatchedInstallType,
            .ratingRestricted, .ageRatingExceptionNotNeeded, .missingAgeRatingExceptionRequest, .featureUnavailable:
            true
        default: false
        }
    }
}

/// What a server said with an answer that is no OK.
package struct ServerWord: Sendable, Hashable {
    /// The answer's status.
    package let status: Int
    /// The `code` of its problem document; nil where it has none.
    package let code: String?
    /// The problem's sentence, as it came; spell out its control characters before anybody reads it.
    package let sentence: String?
}
