package import TenureCore
import TenureFormats

/// A member of an object in a catalog file, declared once: how it is read, how a plan tells that it changes, and what
/// the schema says of it.
package struct CatalogField<Record>: Sendable {
    /// Its name.
    package let name: String
    /// What is told when it is missing, as the end of a sentence about the object; nil where it may be.
    package let needs: String?
    let read: @Sendable (CatalogNode, inout Record, inout CatalogReader) -> Void
    let edits: @Sendable (Record, Record) -> [CatalogEdit]
    let schema: @Sendable (Record) -> Schema

    /// Declares a member.
    /// - Parameters:
    ///   - needs: What is told when it is missing; nil where it may be.
    ///   - schema: What tools are told, given a record in which everything has its default.
    ///   - edits: What of it differs between the record that is stored and the one that the file says.
    ///   - read: Reads the value into the record, or reports what is wrong with it.
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

    /// Declares a member that a plan tells with a text for the old value and one for the new.
    package init(
        _ name: String, needs: String? = nil, schema: @escaping @Sendable (Record) -> Schema,
        told: @escaping @Sendable (Record) -> String,
        _ read: @escaping @Sendable (CatalogNode, inout Record, inout CatalogReader) -> Void
    ) {
        self.init(
            name, needs: needs, schema: schema,
            edits: { old, new in
                let edit = CatalogEdit(name, told(old), told(new))
                return edit.old == edit.new ? [] : [edit]
            }, read)
    }

    /// The id that an object is known by: it is read before the others, for it makes the record.
    package static func id(_ name: String = "id", needs: String = "needs an \"id\"", schema: Schema = .slug) -> Self {
        Self(name, needs: needs, schema: { _ in schema }) { _, _, _ in }
    }
}

extension CatalogField {
    /// A text of 1 to so many bytes; null leaves the default.
    package static func text(
        _ name: String, _ path: any WritableKeyPath<Record, String> & Sendable, longest: Int = 256,
        _ sentence: String = ""
    ) -> Self {
        Self(
            name, schema: { _ in .text(length: 1...longest).orNull.described(sentence) }, told: { $0[keyPath: path] }
        ) { node, record, reader in
            if let text = reader.text(node, limit: longest) { record[keyPath: path] = text }
        }
    }

    /// A text of 1 to so many bytes, or none.
    /// - Parameters:
    ///   - pattern: What tools are told that it looks like.
    ///   - fault: What is wrong with a text, as the end of a sentence; nil when nothing is.
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
            }, told: { $0[keyPath: path] ?? "none" }
        ) { node, record, reader in
            guard let text = reader.text(node, limit: longest) else { return }
            if let fault = fault(text) {
                reader.report(node, fault)
            } else {
                record[keyPath: path] = text
            }
        }
    }

    /// A whole number; null leaves the default.
    /// - Parameter message: What is told of another value; nil for the range alone.
    package static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Record, Int> & Sendable,
        else message: String? = nil, _ sentence: String = ""
    ) -> Self {
        Self(
            name, schema: { Schema.count(range).adding("default", .count($0[keyPath: path])).described(sentence) },
            told: { String($0[keyPath: path]) }
        ) { node, record, reader in
            if let number = reader.integer(node, in: range, else: message) { record[keyPath: path] = number }
        }
    }

    /// A whole number, or none; a member that is left out has the default.
    /// - Parameter message: What is told of another value; nil for the range alone.
    package static func integer(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Record, Int?> & Sendable,
        else message: String? = nil, _ sentence: String = ""
    ) -> Self {
        Self(
            name,
            schema: {
                let standard = $0[keyPath: path].map(JSONTree.count) ?? .null
                return Schema.count(range).adding("default", standard).described(sentence)
            }, told: { $0[keyPath: path].map(String.init) ?? "none" }
        ) { node, record, reader in
            let found = reader.problems.count
            let number = reader.integer(node, in: range, else: message)
            if reader.problems.count == found { record[keyPath: path] = number }
        }
    }

    /// How many changes there may be, a number that follows from others where it is left out; null is no limit.
    package static func changes(
        _ name: String, _ path: any WritableKeyPath<Record, Int?> & Sendable, _ sentence: String
    ) -> Self {
        let range = 0...10_000
        return Self(
            name, schema: { _ in Schema.count(range).described(sentence) },
            told: { $0[keyPath: path].map(String.init) ?? "none" }
        ) { node, record, reader in
            let found = reader.problems.count
            let number = reader.integer(node, in: range)
            if reader.problems.count == found { record[keyPath: path] = number }
        }
    }

    /// `true` or `false`.
    package static func flag(
        _ name: String, _ path: any WritableKeyPath<Record, Bool> & Sendable, _ sentence: String = ""
    ) -> Self {
        Self(
            name, schema: { Schema.boolean.adding("default", .truth($0[keyPath: path])).described(sentence) },
            told: { String($0[keyPath: path]) }
        ) { node, record, reader in
            guard case .bool(let value) = node.value else {
                return reader.report(node, "must be true or false, not \(node.value.kind)")
            }
            record[keyPath: path] = value
        }
    }

    /// One of a few words.
    /// - Parameter message: What is told of another value, as the end of a sentence.
    package static func choice<Word: CaseIterable & RawRepresentable<String> & Sendable>(
        _ name: String, _ path: any WritableKeyPath<Record, Word> & Sendable, else message: String,
        _ sentence: String = ""
    ) -> Self {
        Self(
            name,
            schema: {
                Schema.choice(Word.allCases.map(\.rawValue)).adding("default", .text($0[keyPath: path].rawValue))
                    .described(sentence)
            }, told: { $0[keyPath: path].rawValue }
        ) { node, record, reader in
            guard case .string(let text) = node.value, let word = Word(rawValue: text) else {
                return reader.report(node, message)
            }
            record[keyPath: path] = word
        }
    }

    /// An object within the object.
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

    /// Other objects, each read by itself; a plan tells of each by its own name.
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
    /// A name for paths.
    package static let slug = Schema.text(pattern: "^[a-z0-9_-]{1,64}$")

    /// A moment as RFC 3339 writes it, or null for never.
    package static func end(_ sentence: String) -> Schema { Schema.text().orNull.described(sentence) }

    /// A whole number, or null.
    fileprivate static func count(_ range: ClosedRange<Int>) -> Schema {
        integer(Int64(range.lowerBound)...Int64(range.upperBound)).orNull
    }
}

extension JSONTree {
    fileprivate static func count(_ number: Int) -> JSONTree { .number(Int64(number)) }
}

extension Slug {
    /// A name that stands in where a record is only described.
    package static var sample: Slug {
        guard let sample = Slug("sample") else { preconditionFailure("\"sample\" is no name") }
        return sample
    }
}
