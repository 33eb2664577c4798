/// The parsers of licenses and of the SDK.
let targets: [FuzzTarget] = [
    statements, licenseKeys, keylightLeases, keylightConfigurations, keylightKeysets, keylightAnswers,
    clientRecords, sealedRecords, licenseLinks, serverAddresses, storedKeys, builtInKeys, deviceIdentifiers,
]
