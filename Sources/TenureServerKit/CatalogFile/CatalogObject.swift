/// An object of a catalog file: its members, declared once.
///
/// What it reads into is a record in which everything has its default already, so that a default stands where the
/// record is declared and nowhere else.
package struct CatalogObject<Record: Sendable>: Sendable {
    let fields: [CatalogField<Record>]
    private let sentence: String
    private let isNullable: Bool
    private let sample: Record
    private let check: @Sendable (inout Record, [String: CatalogNode], CatalogNode, inout CatalogReader) -> Void

    /// Declares an object.
    /// - Parameters:
    ///   - sentence: What it is, for tools.
    ///   - sample: A record in which everything has its default.
    ///   - isNullable: Whether null stands for nothing.
    ///   - fields: Its members, in the order in which they are read: a later one may look at what an earlier one read.
    ///   - check: What holds between its members, looked at when all are read.
    package init(
        _ sentence: String, sample: Record, isNullable: Bool = false, _ fields: [CatalogField<Record>],
        check: @escaping @Sendable (inout Record, [String: CatalogNode], CatalogNode, inout CatalogReader) -> Void = {
            _, _, _, _ in
        }
    ) {
        self.sentence = sentence
        self.sample = sample
        self.isNullable = isNullable
        self.fields = fields
        self.check = check
    }

    /// The members by name; what is no object, and names that are not known, are reported.
    package func members(of node: CatalogNode, _ reader: inout CatalogReader) -> [String: CatalogNode] {
        reader.object(node, knowing: fields.map(\.name))
    }

    /// Reads members into a record that was made from their id; tells which ones are missing or wrong.
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

    /// What differs between two records, in the order of the members.
    package func edits(from old: Record, to new: Record) -> [CatalogEdit] {
        fields.flatMap { $0.edits(old, new) }
    }

    /// What tools are told of it.
    package var schema: Schema {
        let schema = Schema.object(
            fields.map { ($0.name, $0.schema(sample)) }, required: fields.filter { $0.needs != nil }.map(\.name),
            isClosed: true)
        return (isNullable ? schema.orNull : schema).described(sentence)
    }
}

/// One member that changes.
package struct CatalogEdit: Sendable, Hashable, CustomStringConvertible {
    /// Its name.
    package let member: String
    /// What it was.
    package let old: String
    /// What it shall be.
    package let new: String

    /// States a change.
    package init(_ member: String, _ old: String, _ new: String) {
        self.member = member
        self.old = old
        self.new = new
    }

    /// `member old -> new`
    package var description: String { "\(member) \(old) -> \(new)" }
}
