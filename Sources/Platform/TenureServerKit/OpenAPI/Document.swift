package import TenureCore
package import TenureFormats

/// Declares how a value is written as a JSON object.
///
/// One declaration serves the API's responses, the output of commands with `--json`, and the JSON schema.
package struct Document<Value>: Sendable {
    package struct Member: Sendable {
        package let name: String
        /// The member's schema, including the description.
        package let schema: Schema
        /// Whether the member is always present.
        package let isAlways: Bool

        let write: @Sendable (Value, inout JSONObjectWriter) -> Void

        /// Creates a member.
        ///
        /// - Parameters:
        ///   - sentence: The description in the schema.
        ///   - isAlways: Whether the member is always present.
        ///   - write: Writes the member of a value into the object.
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

    /// The name of the document's schema among the OpenAPI components; `nil` to inline the schema where it's used.
    package let name: String?
    package let members: [Member]

    package init(_ name: String? = nil, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    /// The JSON schema, or a reference to it if the document has a name.
    package var schema: Schema {
        let schema = Schema.object(
            members.map { ($0.name, $0.schema) }, required: members.filter { $0.isAlways }.map { $0.name })
        return name.map(schema.named) ?? schema
    }

    /// Writes a value's members into an object.
    package func write(_ value: Value, into object: inout JSONObjectWriter) {
        for member in members { member.write(value, &object) }
    }

    package func json(_ value: Value) -> [UInt8] {
        JSONWriter.object { write(value, into: &$0) }
    }

    /// Returns the members for use in the document of an outer value that contains this value.
    ///
    /// - Parameter inner: Returns the inner value, given the outer one.
    package func members<Outer>(of inner: @escaping @Sendable (Outer) -> Value) -> [Document<Outer>.Member] {
        members.map { member in
            .init(member.name, member.schema, isAlways: member.isAlways) { member.write(inner($0), &$1) }
        }
    }
}

extension Document.Member {
    package static func text(
        _ name: String, _ sentence: String = "", _ schema: Schema = .text(),
        _ value: @escaping @Sendable (Value) -> String
    ) -> Document.Member {
        .init(name, schema, sentence) { $1.member(name, value($0)) }
    }

    package static func textOrNull(
        _ name: String, _ sentence: String = "", _ schema: Schema = .text(),
        _ value: @escaping @Sendable (Value) -> String?
    ) -> Document.Member {
        .init(name, schema.orNull, sentence) { $1.member(name, value($0)) }
    }

    /// The raw value of a case of an enumeration.
    package static func choice<Choice: CaseIterable & RawRepresentable & Sendable>(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Choice
    ) -> Document.Member where Choice.RawValue == String {
        .text(name, sentence, .choice(Choice.allCases.map { $0.rawValue })) { value($0).rawValue }
    }

    /// A date and time in UTC, formatted as in RFC 3339.
    package static func dateTime(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Timestamp
    ) -> Document.Member {
        .text(name, sentence, .text(format: "date-time")) { value($0).description }
    }

    /// A date and time in UTC, formatted as in RFC 3339, or `null`.
    package static func momentOrNull(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Timestamp?
    ) -> Document.Member {
        .textOrNull(name, sentence, .text(format: "date-time")) { value($0)?.description }
    }

    package static func integer(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Int64
    ) -> Document.Member {
        .init(name, .integer(), sentence) { $1.member(name, value($0)) }
    }

    package static func integerOrNull(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Int64?
    ) -> Document.Member {
        .init(name, Schema.integer().orNull, sentence) { $1.member(name, value($0)) }
    }

    package static func boolean(
        _ name: String, _ sentence: String = "", _ value: @escaping @Sendable (Value) -> Bool
    ) -> Document.Member {
        .init(name, .boolean, sentence) { $1.member(name, value($0)) }
    }

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

/// A value together with the current time, for documents that depend on both.
package struct AsOf<Value: Sendable>: Sendable {
    package let value: Value
    package let now: Timestamp

    package init(_ value: Value, at now: Timestamp) {
        self.value = value
        self.now = now
    }
}
