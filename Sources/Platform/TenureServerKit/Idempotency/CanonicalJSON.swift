import TenureFormats

/// The bytes of a JSON text without details that don't change its meaning.
///
/// Two texts have the same bytes if and only if they have the same members and values. White space, the order of
/// members, escapes in texts, and the notation of numbers make no difference. For example, 30, 30.0 and 3e1 are the
/// same number.
enum CanonicalJSON {
    /// Returns the bytes of a request's body. An empty body counts as an object without members.
    ///
    /// A body that isn't valid JSON is returned unchanged, after a byte with which no JSON text starts.
    static func bytes(of body: [UInt8]) -> [UInt8] {
        if body.isEmpty { return bytes(of: Array("{}".utf8)) }
        guard let value = try? JSONValue(parsing: body) else { return [0] + body }
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    // Recurses into nested values; parsing has limited their depth.
    private static func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(UInt8(ascii: "n"))
        case .bool(let flag): bytes.append(UInt8(ascii: flag ? "t" : "f"))
        case .integer(let number): append("i", String(number), to: &bytes)
        case .number(let number): append("d", String(number.bitPattern), to: &bytes)
        case .string(let text): append("s", text, to: &bytes)
        case .array(let elements):
            append("a", String(elements.count), to: &bytes)
            for element in elements { append(element, to: &bytes) }
        case .object(let members):
            append("o", String(members.count), to: &bytes)
            for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                append("s", name, to: &bytes)
                append(value, to: &bytes)
            }
        }
    }

    /// Appends a text after its type and length, so that no text can imitate another value.
    private static func append(_ type: Unicode.Scalar, _ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: type))
        bytes += Array("\(text.utf8.count):".utf8) + Array(text.utf8)
    }
}
