/// The parsers of the platform, without those of the server kit.
let targets: [FuzzTarget] = [
    timestamps, ids, markedTexts, base64, hex, httpDates, webURLs,
    strictJSON, jsonTree, jsonPlaces, jsonWriter, compactTokens, envelopes,
    ipAddresses, requestTargets, connectionBytes, listenAddresses,
    certificates, keyDocuments, passwordHashes, sealedBytes,
]
