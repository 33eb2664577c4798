package import TenureCore
import TenureFormats

/// A member of an object in a catalog file: how to read it, how a plan reports a change, and its JSON schema.
package struct CatalogField<Record>: Sendable {
    package let name: String
    /// The message if the member is missing, such as `needs an "id"`; `nil` for an optional member.
    package let needs: String?
    let read: @Sendable (CatalogNode, inout Record, inout CatalogReader) -> Void
    let edits: @Sendable (Record, Record) -> [CatalogEdit]
    let schema: @Sendable (Record) -> Schema

    /// Declares a member.
    ///
    /// - Parameters:
    ///   - needs: The message if the member is missing; `nil` for an optional member.
    ///   - schema: The member's JSON schema, given a record with all defaults.
    ///   - edits: Compares the stored record with the one that the file describes.
    ///   - read: Reads the value into the record, or reports a problem with the value.
    package init(
        _ name: String, needs: String? = nil, schema: @escaping @Sendable (Record) -> Schema,
        edits: @escaping @Sendable (_ old: Record, _ new: Record) -> [CatalogEdit] = { _, _ in [] },
        _ read: @escaping @Sendable (CatalogNode, inout Record, inout CatalogReader) -> Void
    ) {
        self.name = name
        self.needs = needs
        self.read = read
        self.edits = edits
        self.schema = schema
    }

    /// Declares a member whose changes a plan reports as the old and the new text.
    package init(
        _ name: String, needs: String? = nil, schema: @escaping @Sendable (Record) -> Schema,
        text: @escaping @Sendable (Record) -> String,
        _ read: @escaping @Sendable (CatalogNode, inout Record, inout CatalogReader) -> Void
    ) {
        self.init(
            name, needs: needs, schema: schema,
            edits: { old, new in
                let edit = CatalogEdit(name, text(old), text(new))
                return edit.old == edit.new ? [] : [edit]
            }, read)
    }

    /// The id of an object.
    ///
    /// Its value is read before the other members, because the record is created from it.
    package static func id(_ name: String = "id", needs: String = "needs an \"id\"", schema: Schema = .slug) -> Self {
        Self(name, needs: needs, schema: { _ in schema }) { _, _, _ in }
    }
}

extension CatalogField {
    /// A text of 1 to `longest` bytes; with `null`, the record keeps its default.
    package static func text(
        _ name: String, _ path: any WritableKeyPath<Record, String> & Sendable, longest: Int = 256,
        _ sentence: String = ""
    ) -> Self {
        Self(
            name, schema: { _ in .text(length: 1...longest).orNull.described(sentence) }, text: { $0[keyPath: path] }
        ) { node, record, reader in
            if let text = reader.text(node, limit: longest) { record[keyPath: path] = text }
        }
    }

    /// An optional text of 1 to `longest` bytes; with `null`, the record keeps its default.
    ///
    /// - Parameters:
    ///   - pattern: A regular expression for the JSON schema only.
    ///   - fault: Returns the problem with a text, such as `must be an e-mail address`; `nil` if the text is valid.
    package static func text(
        _ name: String, _ path: any WritableKeyPath<Record, String?> & Sendable, longest: Int = 256,
        pattern: String? = nil,
        _ sentence: String = "", fault: @escaping @Sendable (String) -> String? = { _ in nil }
    ) -> Self {
        Self(
            name,
            schema: { _ in
                let schema = pattern.map { .text(length: 0...longest, pattern: $0) } ?? Schema.text(length: 1...longest)
                return schema.orNull.described(sentence)
            }, text: { $0[keyPath: path] ?? "none" }
        ) { node, record, reader in
            guard let text = reader.text(node, limit: longest) else { return }
            if let fault = fault(text) {
                reader.report(node, fault)
            } else {
                record[keyPath: path] = text
            }
        }
    }

    /// An optional `https` URL of at most 2048 visible ASCII characters, for links on pages.
    package static func webURL(
        _ name: String, _ path: any WritableKeyPath<Record, String?> & Sendable, _ sentence: String
    ) -> Self {
        .text(
            name, path, longest: 2048, pattern: "^https://[!-~]+$", sentence,
            fault: {
                PageLink(web: $0) == nil
                    ? "must be a URL that starts with https://, in visible ASCII characters" : nil
            })
    }

    /// A whole number; with `null`, the record keeps its default.
    ///
    /// - Parameter message: The message for an invalid value; `nil` for the default message, which names the range.
    package static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Record, Int> & Sendable,
        else message: String? = nil, _ sentence: String = ""
    ) -> Self {
        Self(
            name, schema: { Schema.count(range).adding("default", .count($0[keyPath: path])).described(sentence) },
            text: { String($0[keyPath: path]) }
        ) { node, record, reader in
            if let number = reader.integer(node, in: range, else: message) { record[keyPath: path] = number }
        }
    }

    /// An optional whole number.
    ///
    /// A missing member keeps the default; `null` unsets the value.
    ///
    /// - Parameter message: The message for an invalid value; `nil` for the default message, which names the range.
    package static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Record, Int?> & Sendable,
        else message: String? = nil, _ sentence: String = ""
    ) -> Self {
        Self(
            name,
            schema: {
                let standard = $0[keyPath: path].map(JSONTree.count) ?? .null
                return Schema.count(range).adding("default", standard).described(sentence)
            }, text: { $0[keyPath: path].map(String.init) ?? "none" }
        ) { node, record, reader in
            let found = reader.problems.count
            let number = reader.integer(node, in: range, else: message)
            if reader.problems.count == found { record[keyPath: path] = number }
        }
    }

    /// The number of device changes that are allowed within 30 days, 0 to 10,000; `null` for no limit.
    ///
    /// If the member is missing, the record keeps its default.
    package static func changes(
        _ name: String, _ path: any WritableKeyPath<Record, Int?> & Sendable, _ sentence: String
    ) -> Self {
        let range = 0...10_000
        return Self(
            name, schema: { _ in Schema.count(range).described(sentence) },
            text: { $0[keyPath: path].map(String.init) ?? "none" }
        ) { node, record, reader in
            let found = reader.problems.count
            let number = reader.integer(node, in: range)
            if reader.problems.count == found { record[keyPath: path] = number }
        }
    }

    package static func flag(
        _ name: String, _ path: any WritableKeyPath<Record, Bool> & Sendable, _ sentence: String = ""
    ) -> Self {
        Self(
            name, schema: { Schema.boolean.adding("default", .truth($0[keyPath: path])).described(sentence) },
            text: { String($0[keyPath: path]) }
        ) { node, record, reader in
            guard case .bool(let value) = node.value else {
                return reader.report(node, "must be true or false, not \(node.value.kind)")
            }
            record[keyPath: path] = value
        }
    }

    /// One of the raw values of an enumeration.
    ///
    /// - Parameter message: The message for an invalid value, such as `must be "a" or "b"`.
    package static func choice<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Record, Word> & Sendable, else message: String,
        _ sentence: String = ""
    ) -> Self {
        Self(
            name,
            schema: {
                Schema.choice(Word.allCases.map(\.rawValue)).adding("default", .text($0[keyPath: path].rawValue))
                    .described(sentence)
            }, text: { $0[keyPath: path].rawValue }
        ) { node, record, reader in
            guard case .string(let text) = node.value, let word = Word(rawValue: text) else {
                return reader.report(node, message)
            }
            record[keyPath: path] = word
        }
    }

    /// A nested object.
    package static func object<Inner>(
        _ name: String, _ path: any WritableKeyPath<Record, Inner> & Sendable, _ object: CatalogObject<Inner>
    ) -> Self {
        Self(
            name, schema: { _ in object.schema },
            edits: { old, new in object.edits(from: old[keyPath: path], to: new[keyPath: path]) }
        ) { node, record, reader in
            object.fill(&record[keyPath: path], from: object.members(of: node, &reader), of: node, &reader)
        }
    }

    /// A list whose elements `read` reads one by one.
    ///
    /// The list reports no edits, because a plan reports each of its elements separately.
    package static func list(
        _ name: String, of schema: Schema, _ sentence: String = "",
        _ read: @escaping @Sendable (CatalogNode, inout Record, inout CatalogReader) -> Void
    ) -> Self {
        Self(name, schema: { _ in .list(of: schema).adding("default", []).described(sentence) }) {
            node, record, reader in
            for element in reader.list(node) { read(element, &record, &reader) }
        }
    }
}

extension Schema {
    /// The JSON schema of an id that may be used in URL paths.
    package static let slug = Schema.text(pattern: "^[a-z0-9][a-z0-9_-]{0,63}$")

    /// The JSON schema of an RFC 3339 date; `null` for no end.
    package static func end(_ sentence: String) -> Schema { Schema.text().orNull.described(sentence) }

    /// The JSON schema of a whole number or `null`.
    fileprivate static func count(_ range: ClosedRange<Int>) -> Schema {
        integer(Int64(range.lowerBound)...Int64(range.upperBound)).orNull
    }
}

extension JSONTree {
    fileprivate static func count(_ number: Int) -> JSONTree { .number(Int64(number)) }
}

extension Slug {
    /// A placeholder id for records that exist only to describe defaults.
    package static var sample: Slug {
        guard let sample = Slug("sample") else { preconditionFailure("\"sample\" is no name") }
        return sample
    }
}
