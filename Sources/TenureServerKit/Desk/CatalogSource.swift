/// Where the desk takes the catalog from.
package protocol CatalogSource: Sendable {
    /// One version of it, never changed after it was made.
    associatedtype Snapshot: Sendable

    /// The latest that was read.
    var current: Snapshot { get }

    /// Reads it again if the store has another version than the latest.
    func refreshIfChanged() async throws(ServerError) -> Snapshot

    /// The version of a snapshot.
    static func version(of snapshot: Snapshot) -> Int64

    /// Whether a snapshot was read from the store, rather than kept from an earlier run.
    static func isComplete(_ snapshot: Snapshot) -> Bool
}

extension CatalogSource {
    /// True: nothing is kept.
    package static func isComplete(_ snapshot: Snapshot) -> Bool { true }
}

extension ServerError {
    /// The catalog was another one each time.
    package static let catalogBusy = ServerError(
        .init("catalog_busy"), "The catalog kept changing while a decision was made. Try again.", isTransient: true)
}
