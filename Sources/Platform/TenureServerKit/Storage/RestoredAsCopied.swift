package import TenureStore

/// A table that needs no ``RestoreExclusion``, because a restore copies its rows from the backup unchanged.
///
/// Each table has either this declaration or an exclusion; a test fails for a new table that has neither. Otherwise, a
/// row that a restore brings back could permit something that has been revoked since.
package struct RestoredAsCopied: Sendable {
    /// The name of the table.
    package let table: String
    /// A sentence about why the table's old rows don't permit anything that has been revoked since.
    package let why: String

    /// Declares that a table's rows are restored unchanged.
    package init<Row: Stored>(_: Row.Type, because why: String) {
        table = Row.table.shape.name
        self.why = why
    }

    /// Declares a table that belongs to the catalog, or that `tenure apply` writes together with it.
    package static func catalog<Row: Stored>(_: Row.Type) -> RestoredAsCopied {
        RestoredAsCopied(Row.self, because: "It contains what the vendor's catalog file says, which is applied again.")
    }
}

extension RestoredAsCopied {
    /// The tables that don't belong to a feature.
    static let shared = [
        catalog(TenantRow.self),
        RestoredAsCopied(CatalogVersion.self, because: "It only tells servers when to read the catalog again."),
        RestoredAsCopied(TenantVersion.self, because: "It only tells servers when to read a tenant's catalog again."),
        RestoredAsCopied(
            SettingRecord.self, because: "The restore itself sets or removes the values that must not be the copy's."),
        RestoredAsCopied(
            EventCounter.self, because: "The restore continues above every number that has been used so far."),
        RestoredAsCopied(
            EventRecord.self, because: "Events permit nothing, and those that explain a carried change are added."),
        RestoredAsCopied(
            IdempotentResponse.self, because: "A lost answer permits nothing: a repeated request is decided anew."),
        RestoredAsCopied(LeaderTerm.self, because: "A server that starts takes each role over with a new term."),
        RestoredAsCopied(Job.self, because: "A job decides by the rows that exist when it runs."),
    ]
}
