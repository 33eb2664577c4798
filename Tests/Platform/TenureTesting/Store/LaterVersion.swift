import TenureServerKit
package import TenureStore

/// An invented later version of the program, to check on every engine how a store is migrated.
///
/// The version adds a column to `settings`, and a table that refers to `settings`.
package enum LaterVersion {
    /// Today's schema with the changes of ``migration``.
    package static let schema = StoreSchema(
        StoreSchema.tenure.kept.map { $0.shape === SettingRecord.table.shape ? NotedSetting.kept() : $0 }
            + [Remark.kept(by: Remark.ofSetting)],
        migrations: StoreSchema.tenure.migrations + [migration])

    /// The migration that an existing store needs.
    package static let migration = Migration(
        "9000-remarks",
        [
            .column(Migration.Column("note", .text, isNullable: true), of: "settings"),
            .table(
                "remarks",
                [
                    Migration.Column("id", .integer), Migration.Column("name", .text),
                    Migration.Column("is_read", .flag),
                ], key: ["id"], references: [Migration.Reference(["name"], to: "settings")]),
            .index("remarks_by_setting", on: "remarks", ["name", "id"], where: [.equals("is_read", false)]),
        ])

    /// Checks that both versions work on one store; throws ``ContractViolation``.
    ///
    /// - Parameter open: Opens the store with a schema. The first call passes today's schema and creates the store.
    package static func check(_ open: (StoreSchema) async throws -> any Store) async throws {
        let before = try await open(.tenure)
        try await before.save([.setting(name: "a", value: [1])])
        let later = try await open(schema)
        try expectEqual(try await notes(in: later), [NotedSetting(name: "a", value: [1], note: nil)])

        // The earlier version keeps working while the later one runs.
        let noted = NotedSetting(name: "b", value: [2], note: "new")
        try await later.perform(
            Transaction { TransactionResult((), [.insert(noted), .insert(Remark(id: 7, name: "a"))]) })
        try await before.save([.setting(name: "a", value: [3]), .setting(name: "c", value: [4])])
        let settings = try await before.list(Listing(SettingRecord.table.all, limit: 10))
        try expectEqual(settings.map(\.name), ["a", "b", "c"])
        try await before.save([.setting(name: "b", value: [5])])
        try expectEqual(
            try await notes(in: later),
            [
                NotedSetting(name: "a", value: [3], note: nil), NotedSetting(name: "b", value: [5], note: "new"),
                NotedSetting(name: "c", value: [4], note: nil),
            ])
        try expectEqual(
            try await later.list(Listing(Remark.ofSetting, [.of("a")], limit: 10)), [Remark(id: 7, name: "a")])
        await before.close()

        // The earlier version can't be opened again.
        do {
            await (try await open(.tenure)).close()
            throw ContractViolation(message: "an earlier version opened the store", file: #fileID, line: #line)
        } catch let error as StoreError {
            try expectEqual(error.code, .newerSchema)
            try expect(
                error.message.contains("was created by a newer version of Tenure (it has 9000-remarks). "),
                error.message)
        }
        await later.close()
    }

    private static func notes(in store: any Store) async throws -> [NotedSetting] {
        try await store.list(Listing(NotedSetting.table.all, limit: 10))
    }
}

/// A setting, as the later version declares it.
private struct NotedSetting: Stored, Hashable {
    let name: String
    let value: [UInt8]
    let note: String?

    static let table = Table<NotedSetting>(
        "settings", key: ["name"], [Field("name") { $0.name }, Field("value") { $0.value }, Field("note") { $0.note }]
    ) { row in
        NotedSetting(name: try row.next(), value: try row.next(), note: try row.next())
    }
}

/// A row of the later version's own table.
private struct Remark: Stored, Hashable {
    let id: Int64
    let name: String
    var isRead = false

    static let table = Table<Remark>(
        "remarks", key: ["id"], [Field("id") { $0.id }, Field("name") { $0.name }, Field("is_read") { $0.isRead }],
        foreignKeys: [ForeignKey("name", to: NotedSetting.self)],
        indexes: [TableIndex("by_setting", "name", "id", where: .equals("is_read", false))]
    ) { row in
        Remark(id: try row.next(), name: try row.next(), isRead: try row.next())
    }

    static let ofSetting = table.set("of_setting", "name", where: .equals("is_read", false))
}
