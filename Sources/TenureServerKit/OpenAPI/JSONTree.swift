import TenureFormats

/// A JSON text whose members keep the order in which they were given; for documents that people read too.
package indirect enum JSONTree: Sendable, Hashable {
    case null
    case truth(Bool)
    case number(Int64)
    case text(String)
    case list([JSONTree])
    case object([Member])

    /// One member of an object.
    package struct Member: Sendable, Hashable {
        /// Its name.
        package let name: String
        /// Its value.
        package let value: JSONTree

        /// Names a value.
        package init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// The text, one member or element a line, so that a changed member is a changed line; a line end closes it.
    package var lines: [UInt8] {
        var text = ""
        write(to: &text, indent: 0)
        return Array((text + "\n").utf8)
    }

    private func write(to text: inout String, indent: Int) {
        switch self {
        case .null: text += "null"
        case .truth(let truth): text += truth ? "true" : "false"
        case .number(let number): text += String(number)
        case .text(let value): text += Self.quoted(value)
        case .list(let elements):
            Self.write(elements, between: "[", "]", to: &text, indent: indent) { element, text, indent in
                element.write(to: &text, indent: indent)
            }
        case .object(let members):
            Self.write(members, between: "{", "}", to: &text, indent: indent) { member, text, indent in
                text += Self.quoted(member.name) + ": "
                member.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func write<Part>(
        _ parts: [Part], between open: String, _ close: String, to text: inout String, indent: Int,
        _ write: (Part, inout String, Int) -> Void
    ) {
        text += open
        for (index, part) in parts.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + String(repeating: "  ", count: indent + 1)
            write(part, &text, indent + 1)
        }
        if !parts.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += close
    }

    private static func quoted(_ value: String) -> String {
        // A list of one text, without its brackets.
        String(decoding: JSONWriter.array { $0.element(value) }.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    package init(stringLiteral value: String) { self = .text(value) }
    /// `true` or `false`.
    package init(booleanLiteral value: Bool) { self = .truth(value) }
    /// A number.
    package init(integerLiteral value: Int64) { self = .number(value) }
    /// A list.
    package init(arrayLiteral elements: JSONTree...) { self = .list(elements) }
    /// An object; its members stay in the order written.
    package init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
