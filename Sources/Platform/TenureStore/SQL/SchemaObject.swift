/// An object of a database's schema, to compare with the objects of a new store.
package struct SchemaObject: Sendable, Hashable, Comparable {
    /// The kind of the object as messages name it, such as `index`.
    package let kind: String
    package let name: String
    /// The table that the object belongs to; for a table, its own name.
    package let table: String
    /// The definition in the database's own words, without names that differ between databases.
    package let definition: String

    package init(_ kind: String, _ name: String, of table: String, _ definition: String) {
        self.kind = kind
        self.name = name
        self.table = table
        self.definition = definition
    }

    /// Orders by table, kind and name.
    package static func < (one: SchemaObject, other: SchemaObject) -> Bool {
        (one.table, one.kind, one.name) < (other.table, other.kind, other.name)
    }
}

/// A difference between a store's schema and the declared one.
public struct SchemaFault: Sendable, Hashable {
    /// The table that the difference concerns.
    public let table: String
    /// The object that differs, such as `index licenses_by_key`.
    public let object: String
    /// The difference, as a clause that follows ``object`` in a message.
    public let sentence: String
    /// Whether a table or column is missing, so that the table's rows can't be read.
    package let isMissingData: Bool

    init(table: String, object: String, sentence: String, isMissingData: Bool = false) {
        (self.table, self.object, self.sentence, self.isMissingData) = (table, object, sentence, isMissingData)
    }
}

extension [SchemaObject] {
    /// Compares these objects of a store with those that a new store has, and its recorded migrations with the
    /// schema's.
    package func faults(
        against declared: [SchemaObject], recorded: Set<String>, of schema: StoreSchema
    ) -> [SchemaFault] {
        func keyed(_ objects: [SchemaObject]) -> [String: SchemaObject] {
            Dictionary(objects.map { ("\($0.kind) \($0.name)", $0) }) { first, _ in first }
        }
        let (own, expected) = (keyed(self), keyed(declared))
        var faults: [SchemaFault] = []
        for object in declared.sorted() {
            let name = "\(object.kind) \(object.name)"
            guard let found = own[name] else {
                faults.append(
                    SchemaFault(
                        table: object.table, object: name, sentence: "is missing",
                        isMissingData: object.kind == "table" || object.kind == "column"))
                continue
            }
            if found.definition != object.definition {
                let sentence = "is defined as \(found.definition), and \(object.definition) is declared"
                faults.append(SchemaFault(table: object.table, object: name, sentence: sentence))
            }
        }
        for object in sorted() where expected["\(object.kind) \(object.name)"] == nil {
            faults.append(
                SchemaFault(table: object.table, object: "\(object.kind) \(object.name)", sentence: "is not declared"))
        }
        for id in schema.identifiers where !recorded.contains(id) {
            faults.append(SchemaFault(table: "migrations", object: id, sentence: "is not recorded as applied"))
        }
        return faults
    }
}
