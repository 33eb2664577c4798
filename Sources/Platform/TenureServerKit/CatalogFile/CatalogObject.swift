/// An object of a catalog file, declared by its members.
///
/// Members are read into a record that already contains all defaults, so each default is declared only once.
package struct CatalogObject<Record: Sendable>: Sendable {
    let fields: [CatalogField<Record>]
    private let sentence: String
    private let isNullable: Bool
    private let alternatives: [[String]]
    private let sample: Record
    private let check: @Sendable (inout Record, [String: CatalogNode], CatalogNode, inout CatalogReader) -> Void

    /// Declares an object.
    ///
    /// - Parameters:
    ///   - sentence: The object's description in the JSON schema.
    ///   - sample: A record with all defaults.
    ///   - isNullable: Whether `null` is allowed.
    ///   - alternatives: Groups of members of which exactly one must be given and not `null`, for the JSON schema.
    ///   - fields: The members in reading order; a later one may use values that an earlier one read.
    ///   - check: Validates the members against each other, after every member was read.
    package init(
        _ sentence: String, sample: Record, isNullable: Bool = false, alternatives: [[String]] = [],
        _ fields: [CatalogField<Record>],
        check: @escaping @Sendable (inout Record, [String: CatalogNode], CatalogNode, inout CatalogReader) -> Void = {
            _, _, _, _ in
        }
    ) {
        self.sentence = sentence
        self.sample = sample
        self.isNullable = isNullable
        self.alternatives = alternatives
        self.fields = fields
        self.check = check
    }

    /// Returns the members by name. Reports a value that isn't an object, and unknown members.
    package func members(of node: CatalogNode, _ reader: inout CatalogReader) -> [String: CatalogNode] {
        reader.object(node, knowing: fields.map(\.name))
    }

    /// Reads members into a record that was created from their id. Reports missing and invalid members.
    package func fill(
        _ record: inout Record, from members: [String: CatalogNode], of node: CatalogNode,
        _ reader: inout CatalogReader
    ) {
        guard node.members != nil else { return }
        for field in fields {
            if let member = members[field.name] {
                field.read(member, &record, &reader)
            } else if let needs = field.needs {
                reader.report(node, needs)
            }
        }
        check(&record, members, node, &reader)
    }

    /// The differences between two records, in the order of the members.
    package func edits(from old: Record, to new: Record) -> [CatalogEdit] {
        fields.flatMap { $0.edits(old, new) }
    }

    package var schema: Schema {
        let schema = Schema.object(
            fields.map { ($0.name, $0.schema(sample)) }, required: fields.filter { $0.needs != nil }.map(\.name),
            isClosed: true)
        let described = (isNullable ? schema.orNull : schema).described(sentence)
        return alternatives.isEmpty ? described : described.adding("allOf", .list(alternatives.map(exactlyOne)))
    }

    /// A schema that requires exactly one of the members, or `null` instead of the object if the object is nullable.
    private func exactlyOne(of names: [String]) -> JSONTree {
        let branches = names.map { name -> JSONTree in
            [
                "type": "object", "required": [.text(name)],
                "properties": .object([.init(name, ["not": ["type": "null"]])]),
            ]
        }
        return ["oneOf": .list(branches + (isNullable ? [["type": "null"]] : []))]
    }
}

package struct CatalogEdit: Sendable, Hashable, CustomStringConvertible {
    package let member: String
    package let old: String
    package let new: String

    package init(_ member: String, _ old: String, _ new: String) {
        self.member = member
        self.old = old
        self.new = new
    }

    /// The edit as text: `member old -> new`.
    package var description: String { "\(member) \(old) -> \(new)" }
}
