import TenureFormats

/// A JSON value whose objects keep the order of their members, for documents that people also read.
package indirect enum JSONTree: Sendable, Hashable {
    case null
    case truth(Bool)
    case number(Int64)
    case text(String)
    case list([JSONTree])
    case object([Member])

    package struct Member: Sendable, Hashable {
        package let name: String
        package let value: JSONTree

        package init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    /// The JSON text in UTF-8, with one member or element per line for readable diffs, and a newline at the end.
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
        // `JSONWriter` writes only arrays and objects, so this encodes an array with one text and removes the
        // brackets.
        String(decoding: JSONWriter.array { $0.element(value) }.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(booleanLiteral value: Bool) { self = .truth(value) }
    package init(integerLiteral value: Int64) { self = .number(value) }
    package init(arrayLiteral elements: JSONTree...) { self = .list(elements) }
    /// Creates an object whose members keep the order of the literal.
    package init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
