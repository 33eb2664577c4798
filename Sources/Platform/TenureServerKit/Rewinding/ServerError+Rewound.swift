import TenureCore
import TenureHTTP
import TenureStore

extension ServerError {
    /// The error if the store lacks a record, but has lost records and may have lost this one.
    package static let recordMissing = ServerError(
        .recordMissing,
        "The database returned to an older state, and this record isn't in it. Run `tenure doctor` for the remedy.",
        isTransient: true)
}

extension ServerError.Code {
    /// The code of ``ServerError/recordMissing``.
    package static let recordMissing = Self("record_missing")
    /// The code of the error if only a former primary can be reached.
    static let formerPrimary = Self(StoreError.Code.rewound.text)
}

extension Failure {
    /// The 503 failure for a caller whose record the store may have lost. A device then keeps its lease.
    static let storeRewound = Failure(
        RejectedRequest(
            503, code: Reason.Kind.storeRewound.text,
            "The server doesn't find this at the moment, because it has lost recent changes. Try again later. The operator "
                + "can run `tenure doctor` for the remedy.", title: "Recent changes lost"),
        headers: ["Retry-After": "60"])
}

extension CatalogCache {
    /// Throws ``ServerError/recordMissing`` if the store is known to have lost records.
    ///
    /// Call this if a caller's record isn't found, so that the caller isn't refused because of the loss.
    package func checkLoss() throws(ServerError) {
        if hasLostRecords { throw .recordMissing }
    }

    /// Returns a row that was looked up. If the row is `nil` and the store may have lost it, throws
    /// ``ServerError/recordMissing``.
    package func found<Row>(_ row: Row?) throws(ServerError) -> Row? {
        if row == nil { try checkLoss() }
        return row
    }

    /// Whether the store is known to have lost records.
    package var hasLostRecords: Bool { rewinds?.rewound != nil }
}
