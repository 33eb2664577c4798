import TenureHTTP

extension ServerError {
    /// The store doesn't have a record, but it has lost some, and this may be one of them.
    package static let storeRewound = ServerError(
        .storeRewound,
        "The database returned to an older state, and this record isn't in it. Run `tenure doctor` for the remedy.",
        isTransient: true)
}

extension ServerError.Code {
    /// The code of ``ServerError/storeRewound``.
    static let storeRewound = Self("store_rewound")
}

extension Failure {
    /// The 503 failure for a device whose record the store may have lost; the device keeps what it has.
    static let storeRewound = Failure(
        RejectedRequest(
            503, code: ServerError.Code.storeRewound.text,
            "The server doesn't find this at the moment, because it has lost recent changes. Try again later. The operator "
                + "can run `tenure doctor` for the remedy.", title: "Recent changes lost"),
        headers: ["Retry-After": "60"])
}

extension CatalogCache {
    /// Throws ``ServerError/storeRewound`` if the store is known to have lost records, so that a device whose record
    /// isn't found gets no refusal.
    package func checkLoss() throws(ServerError) {
        if hasLostRecords { throw .storeRewound }
    }

    /// Whether the store is known to have lost records.
    package var hasLostRecords: Bool { rewinds?.rewound != nil }
}
