extension StoreError {
    /// A row that no version of this program wrote.
    package static func unreadable(_ what: String) -> StoreError {
        StoreError(.corrupt, "The database holds \(what) that cannot be read; restore the latest backup.")
    }

    /// The store was used after it was closed.
    package static let closed = StoreError(.closed, "The store has been closed; the server is stopping.")
}
