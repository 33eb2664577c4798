package import TenureCore
package import TenureFormats

/// What is told of a value, declared once: the API, `--json` and the schema follow from it.
package struct Document<Value>: Sendable {
    /// One member of a document.
    package struct Member: Sendable {
        /// Its name.
        package let name: String
        /// What it is, its sentence included.
        package let schema: Schema
        /// Whether it is always there.
        package let isAlways: Bool

        let write: @Sendable (Value, inout JSONObjectWriter) -> Void

        /// A member that writes itself under its name.
        package init(
            _ name: String, _ schema: Schema, _ sentence: String = "", isAlways: Bool = true,
            _ write: @escaping @Sendable (Value, inout JSONObjectWriter) -> Void
        ) {
            self.name = name
            self.schema = schema.described(sentence)
            self.isAlways = isAlways
            self.write = write
        }
    }

    /// Its name among the schemas; nil for one that stands where it is used.
    package let name: String?
    /// Its members, in order.
    package let members: [Member]

    /// Declares a document.
    package init(_ name: String? = nil, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    /// Its schema; of a named one a reference.
    package var schema: Schema {
        let schema = Schema.object(
            members.map { ($0.name, $0.schema) }, required: members.filter(\.isAlways).map(\.name))
        return name.map(schema.named) ?? schema
    }

    /// Writes a value's members into an object.
    package func write(_ value: Value, into object: inout JSONObjectWriter) {
        for member in members { member.write(value, &object) }
    }

    /// A value as JSON.
    package func json(_ value: Value) -> [UInt8] {
        JSONWriter.object { write(value, into: &$0) }
    }

    /// The members, of a value that another one holds.
    package func members<Outer>(of inner: @escaping @Sendable (Outer) -> Value) -> [Document<Outer>.Member] {
        members.map { member in
            .init(member.name, member.schema, isAlways: member.isAlways) { member.write(inner($0), &$1) }
        }
    }
}

extension Document.Member {
    /// A text.
    package static func text(
        _ name: String, _ sentence: String = "", _ schema: Schema = .text(),
        _ value: @escaping @Sendable (Value) -> String
    ) -> Document.Member {
        .init(name, schema, sentence) { $1.member(name, value($0)) }
    }

    /// A text or null.
    package static func textOrNull(
        _ name: String, _ sentence: String = "", _ schema: Schema = .text(),
        _ value: @escaping @Sendable (Value) -> String?
    ) -> Document.Member {
        .init(name, schema.orNull, sentence) { $1.member(name, value($0)) }
    }

    /// One of a few texts.
    package static func choice<Choice: CaseIterable & RawRepresentable & Sendable>(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Choice
    ) -> Document.Member where Choice.RawValue == String {
        .text(name, sentence, .choice(Choice.allCases.map(\.rawValue))) { value($0).rawValue }
    }

    /// A moment, as RFC 3339 in UTC.
    package static func moment(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Timestamp
    ) -> Document.Member {
        .text(name, sentence, .text(format: "date-time")) { value($0).description }
    }

    /// A moment or null.
    package static func momentOrNull(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Timestamp?
    ) -> Document.Member {
        .textOrNull(name, sentence, .text(format: "date-time")) { value($0)?.description }
    }

    /// A whole number.
    package static func integer(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Int64
    ) -> Document.Member {
        .init(name, .integer(), sentence) { $1.member(name, value($0)) }
    }

    /// True or false.
    package static func boolean(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Bool
    ) -> Document.Member {
        .init(name, .boolean, sentence) { $1.member(name, value($0)) }
    }

    /// A list of other documents.
    package static func list<Element>(
        _ name: String, of document: Document<Element>, _ sentence: String = "",
        _ values: @escaping @Sendable (Value) -> [Element]
    ) -> Document.Member {
        .init(name, .list(of: document.schema), sentence) { value, object in
            object.array(name) { list in
                for element in values(value) { list.object { document.write(element, into: &$0) } }
            }
        }
    }
}

/// A value as it is at a moment.
package struct AsOf<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// The moment.
    package let now: Timestamp

    /// Looks at a value at a moment.
    package init(_ value: Value, at now: Timestamp) {
        self.value = value
        self.now = now
    }
}
