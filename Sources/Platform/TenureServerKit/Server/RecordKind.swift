package import TenureCore
package import TenureStore

/// A kind of record that events refer to, such as the licenses of products.
///
/// The records of two features may use the same member: an event's license belongs to a product or to an app.
package struct RecordKind: Sendable {
    /// The name of the member in events and of the filter for it, such as `contentLicense`.
    package let field: String
    /// The name for people, such as `content license`.
    package let name: String
    /// The column of the events table that contains the id.
    package let column: String
    /// The table of the records; `nil` if the store check doesn't look for missing records of this kind.
    package let table: TableShape?
    /// Returns the number of the record that an event refers to; `nil` if the event doesn't refer to this kind.
    package let number: @Sendable (Event.Subject) -> Int64?
    /// Returns the id that a filter contains, as text; `nil` if the filter doesn't select this kind.
    package let named: @Sendable (EventFilter) -> String?
    /// Returns whether the tenant has the record that a filter selects.
    package let isKnown: @Sendable (EventFilter, TenantID, ServerStore) async throws(ServerError) -> Bool

    /// The option of `tenure events` that filters by this kind; `nil` for no such option.
    package let option: EventOption?

    /// The name with an indefinite article.
    var article: String { name.first.map { "aeiou".contains($0) } ?? false ? "an \(name)" : "a \(name)" }

    package init(
        field: String, name: String, column: String, table: TableShape?,
        number: @escaping @Sendable (Event.Subject) -> Int64?, named: @escaping @Sendable (EventFilter) -> String?,
        option: EventOption? = nil,
        isKnown: @escaping @Sendable (EventFilter, TenantID, ServerStore) async throws(ServerError) -> Bool
    ) {
        self.field = field
        self.name = name
        self.column = column
        self.table = table
        self.number = number
        self.named = named
        self.option = option
        self.isKnown = isKnown
    }
}

extension Reading {
    /// Whether a tenant has a row with this id.
    package func has<Row>(
        _ id: some Storable, in table: Table<Row>, of tenant: TenantID
    ) async throws(Failure) -> Bool {
        try await !list(Listing(table.all, where: [[.equals("id", id), .equals("tenant", tenant)]], limit: 1)).isEmpty
    }
}
