import TenureFormats

extension JSONValue {
    /// The value as JSON text, with the members of objects in the order of their names.
    ///
    /// The same value always has the same text.
    var encoded: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let bool): Array((bool ? "true" : "false").utf8)
        case .integer(let number): Array(String(number).utf8)
        case .number(let number): Array(String(number).utf8)
        // The brackets of the array are left out.
        case .string(let text): JSONWriter.array { $0.element(text) }.dropFirst().dropLast()
        case .array(let elements): [0x5B] + elements.map(\.encoded).joined(separator: [0x2C]) + [0x5D]
        case .object(let members):
            JSONWriter.object { object in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    object.member(name, json: value.encoded)
                }
            }
        }
    }
}
