package import TenureStore

/// Wrong declarations of the table `settings`, each with one mistake that every engine's schema check must find.
package enum Misdeclared {
    /// The declarations, each with a text that the reported fault contains.
    package static let tables: [(table: TableShape, fault: String)] = [
        (table(Field("name") { $0.text }, Field("value") { $0.text }), "settings.value"),
        (table(Field("name") { $0.text }, Field("value") { $0.bytes as [UInt8]? }), "settings.value"),
        (table(Field("name") { $0.text }), "settings.value is not declared"),
        (
            table(Field("name") { $0.text }, Field("value") { $0.bytes }, Field("more") { $0.number }),
            "settings.more"
        ),
        (table(Field("name") { $0.text }, Field("value") { $0.bytes }, key: ["value"]), "settings has the key"),
        (
            table(Field("name") { $0.text }, Field("value") { $0.bytes }, uniques: [Unique("value", "value")]),
            "settings.value has no index"
        ),
    ]

    /// A set whose column has no index in the database.
    package static let unservedSet = Table<Row>(
        "settings", key: ["name"], [Field("name") { $0.text }, Field("value") { $0.bytes }], read: read
    ).set("of_value", "value").shape

    private struct Row: Sendable {
        let text: String
        let bytes: [UInt8]
        let number: Int64
    }

    private static func table(
        _ fields: Field<Row>..., key: [String] = ["name"], uniques: [Unique] = []
    ) -> TableShape {
        Table<Row>("settings", key: key, fields, uniques: uniques, read: read).shape
    }

    private static let read: @Sendable (inout RowCursor) throws -> Row = { row in
        Row(text: try row.next(), bytes: try row.next(), number: try row.next())
    }
}
