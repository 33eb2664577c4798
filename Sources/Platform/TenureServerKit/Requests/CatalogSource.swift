package import TenureStore

/// Provides the catalog that requests are handled with, and the store that it is read from.
package protocol CatalogSource: Sendable {
    /// One immutable version of the catalog.
    associatedtype Snapshot: Sendable

    /// The store that requests read.
    var store: any Store { get }

    /// The latest snapshot.
    var current: Snapshot { get }

    /// Reloads the catalog if its version in the store differs from the latest snapshot's; returns the latest one.
    func refreshIfChanged() async throws(ServerError) -> Snapshot

    /// The catalog version of a snapshot.
    static func version(of snapshot: Snapshot) -> Int64

    /// Whether a snapshot was read from the store, rather than from a file that an earlier run saved.
    static func isComplete(_ snapshot: Snapshot) -> Bool
}

extension CatalogSource {
    /// Always true, for sources that read every snapshot from the store.
    package static func isComplete(_ snapshot: Snapshot) -> Bool { true }
}
