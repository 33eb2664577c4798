/// The requests of a run, in the order in which they are sent. A request that can't be sent is skipped with a reason.
enum ConformanceQuestion: String, Sendable, Hashable, CaseIterable {
    case configuration
    case configurationHead = "configuration-head"
    case nowhere
    case encryptionCertificate = "encryption-certificate"
    case signingCertificate = "signing-certificate"
    case metadata

    case updatesFromNothing = "updates-from-nothing"
    case restore
    case restoreAgain = "restore-again"
    case restoreNothing = "restore-nothing"
    case restoreUnknown = "restore-unknown"
    case restoreNeighbours = "restore-neighbours"
    case restoreOtherVersion = "restore-other-version"
    case restoreOldSystem = "restore-old-system"
    case restoreWithoutToken = "restore-without-token"
    case restoreWithBadToken = "restore-with-bad-token"
    case restoreNotJSON = "restore-not-json"
    case updatesFromSame = "updates-from-same"
    case updatesFromNewer = "updates-from-newer"
    case updatesOldSystem = "updates-old-system"
    case updatesUnknown = "updates-unknown"
    case updatesWithoutToken = "updates-without-token"

    case packageHost = "package-host"
    case manifest
    case signature
    case assetHead = "asset-head"
    case assetWhole = "asset-whole"
    case assetLast = "asset-last"
    case otherAssetFirst = "other-asset-first"
    case otherAssetLast = "other-asset-last"
    case assetStart = "asset-start"
    case assetMiddle = "asset-middle"
    case assetBeyond = "asset-beyond"
    case assetUnchanged = "asset-unchanged"
    case extraFile = "extra-file"

    case license
    case licenseAgain = "license-again"
    case licenseNeighbours = "license-neighbours"
    case licenseWithoutToken = "license-without-token"
    case licenseShortKey = "license-short-key"
    case licenseLongKey = "license-long-key"
    case licenseKeyAlphabet = "license-key-alphabet"
    case licenseKeyNoise = "license-key-noise"
    case licenseSecretShort = "license-secret-short"
    case licenseSecretLong = "license-secret-long"
    case licensePadding = "license-padding"
    case licenseCutBlocks = "license-cut-blocks"
    case licenseEmpty = "license-empty"
    case licenseNoise = "license-noise"
    case licenseNotJSON = "license-not-json"
    case renewal
    case renewalForeign = "renewal-foreign"
    case renewalOtherDevice = "renewal-other-device"
    case renewalCreates = "renewal-creates"

    case authorizeWithoutChallenge = "authorize-without-challenge"
    case authorizePlain = "authorize-plain"
    case redeemNothing = "redeem-nothing"
    case signInPage = "sign-in-page"
    case signInForm = "sign-in-form"
    case redeem
    case refresh
    case refreshAgain = "refresh-again"
    case refreshReused = "refresh-reused"
    case secondPage = "second-sign-in-page"
    case secondForm = "second-sign-in-form"
    case redeemWrongVerifier = "redeem-wrong-verifier"
    case thirdPage = "third-sign-in-page"
    case thirdForm = "third-sign-in-form"
    case redeemOnce = "redeem-once"
    case redeemTwice = "redeem-twice"

    /// The requests with broken envelopes, which must all get the same response.
    static let defects: [ConformanceQuestion] = [
        .licenseShortKey, .licenseLongKey, .licenseKeyAlphabet, .licenseKeyNoise, .licenseSecretShort,
        .licenseSecretLong, .licensePadding, .licenseCutBlocks, .licenseEmpty, .licenseNoise,
    ]

    /// The mode in which the request is sent; full mode also sends the requests of read mode.
    ///
    /// Read mode includes ``isOffer`` requests only if ``ConformanceOptions/asksUpdates`` is set.
    var mode: ConformanceMode {
        switch self {
        case .configuration, .configurationHead, .nowhere, .encryptionCertificate, .signingCertificate, .metadata,
            .packageHost, .manifest, .signature, .assetHead, .assetStart, .assetMiddle, .assetBeyond, .assetUnchanged,
            .extraFile:
            .read
        default: .full
        }
    }

    /// Whether read mode includes the request if ``ConformanceOptions/asksUpdates`` is set.
    var isOffer: Bool { self == .updatesFromNothing || self == .restore }

    /// The most bytes of an asset that are downloaded for comparison; one of Apple's chunks has 10 MiB.
    static let longestComparison = 16 << 20

    /// The maximum number of bytes of the response's body that are stored.
    var limit: Int {
        switch self {
        case .manifest: 8 << 20
        case .assetWhole, .assetLast, .otherAssetFirst, .otherAssetLast: Self.longestComparison
        case .assetHead, .assetStart, .assetMiddle, .assetBeyond, .assetUnchanged: 1 << 10
        default: 1 << 20
        }
    }
}
