package import TenureCore
package import TenureStore

/// A kind of record that events refer to, such as the licenses of products.
///
/// Two features may keep records under one id: an event's license belongs to a product or to an app.
package struct RecordKind: Sendable {
    /// The member of an event, and the field of a filter, such as `contentLicense`.
    package let field: String
    /// The words for people, such as `content license`.
    package let name: String
    /// The column of events.
    package let column: String
    /// The table of the records; `nil` if a deep check doesn't compare events with it.
    package let table: TableShape?
    /// The id that an event refers to; `nil` if it refers to none of this kind.
    package let number: @Sendable (Event.Subject) -> Int64?
    /// The id that a filter names, as text; `nil` if it names none.
    package let named: @Sendable (EventFilter) -> String?
    /// Whether the tenant has the record that the filter names.
    package let isKnown: @Sendable (EventFilter, TenantID, any Store) async throws -> Bool

    /// The option of `tenure events` that selects one record; `nil` if there isn't one.
    package let option: EventOption?

    /// The name with its article.
    var article: String { name.first.map { "aeiou".contains($0) } ?? false ? "an \(name)" : "a \(name)" }

    package init(
        field: String, name: String, column: String, table: TableShape?,
        number: @escaping @Sendable (Event.Subject) -> Int64?, named: @escaping @Sendable (EventFilter) -> String?,
        option: EventOption? = nil,
        isKnown: @escaping @Sendable (EventFilter, TenantID, any Store) async throws -> Bool
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
    ) async throws(StoreError) -> Bool {
        try await !list(Listing(table.all, where: [[.equals("id", id), .equals("tenant", tenant)]], limit: 1)).isEmpty
    }
}
