import TenureCore
import TenureHTTP
import TenureStore

extension ServerError {
    /// The store doesn't have a record, but it has lost some, and this may be one of them.
    package static let recordMissing = ServerError(
        .recordMissing,
        "The database returned to an older state, and this record isn't in it. Run `tenure doctor` for the remedy.",
        isTransient: true)
}

extension ServerError.Code {
    /// The code of ``ServerError/recordMissing``.
    package static let recordMissing = Self("record_missing")
    /// The code of the store's error if only a former primary can be reached.
    static let formerPrimary = Self(StoreError.Code.rewound.text)
}

extension Failure {
    /// The 503 failure for a caller whose record the store may have lost; a device keeps what it has.
    static let storeRewound = Failure(
        RejectedRequest(
            503, code: Reason.Kind.storeRewound.text,
            "The server doesn't find this at the moment, because it has lost recent changes. Try again later. The operator "
                + "can run `tenure doctor` for the remedy.", title: "Recent changes lost"),
        headers: ["Retry-After": "60"])
}

extension CatalogCache {
    /// Throws ``ServerError/recordMissing`` if the store is known to have lost records, so that a caller whose record
    /// isn't found gets no refusal.
    package func checkLoss() throws(ServerError) {
        if hasLostRecords { throw .recordMissing }
    }

    /// Returns a row that was looked up; throws ``ServerError/recordMissing`` if it's `nil` and the
    /// store may have lost it.
    package func found<Row>(_ row: Row?) throws(ServerError) -> Row? {
        if row == nil { try checkLoss() }
        return row
    }

    /// Whether the store is known to have lost records.
    package var hasLostRecords: Bool { rewinds?.rewound != nil }
}
