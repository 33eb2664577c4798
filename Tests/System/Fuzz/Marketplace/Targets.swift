/// The parsers of the marketplace: Apple's documents, license requests, packages, and what its clients read.
let targets: [FuzzTarget] = [
    marketplaceNotices, appLicenses, appLicenseRequests, requestEnvelopes, packageManifests, keyBlobs, zipLists,
    appleTexts, accountTokens, failureLedgers, updateAnswers, licenseNews, requestHeaders, replacedTokens,
]
