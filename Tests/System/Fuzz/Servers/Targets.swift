/// The parsers of the server and of its commands.
let targets: [FuzzTarget] = [
    queryItems, routes, rangeFields,
    catalogFiles, fieldBodies, fieldTexts, pageHeaders, sessionCookies, forwardedAddresses, kitTexts,
    signInTexts, authorizationRequests, webAddresses, notificationSignatures, targetSettings,
    csvRecords, commandLines, zipFiles, inflaters, appStoreAnswers,
    lintedFiles, pageForms, servedConfigurations, deviceFiles,
]
