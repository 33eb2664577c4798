/// Provides the catalog to request handling.
package protocol CatalogSource: Sendable {
    /// One immutable version of the catalog.
    associatedtype Snapshot: Sendable

    /// The latest snapshot.
    var current: Snapshot { get }

    /// Reloads the catalog if the store's version differs from the latest snapshot's.
    func refreshIfChanged() async throws(ServerError) -> Snapshot

    /// The catalog version of a snapshot.
    static func version(of snapshot: Snapshot) -> Int64

    /// Whether a snapshot was read from the store, rather than saved by an earlier run.
    static func isComplete(_ snapshot: Snapshot) -> Bool
}

extension CatalogSource {
    /// Always true: a source without saved snapshots reads all of them from the store.
    package static func isComplete(_ snapshot: Snapshot) -> Bool { true }
}
