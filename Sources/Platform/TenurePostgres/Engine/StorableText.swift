/// Encodes text for PostgreSQL, whose `text` can't contain NUL.
///
/// NUL becomes U+10FFFF `0`, and U+10FFFF, which is a noncharacter, becomes U+10FFFF `1`. The encoding is therefore
/// reversible, and different texts stay different.
enum StorableText {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            let isPlain = unsafe utf8.allSatisfy { $0 != 0 && $0 != 0xF4 }
            if isPlain { unsafe bytes.append(contentsOf: utf8) }
            return isPlain
        }
        if isPlain { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": bytes.append(contentsOf: "\(escape)0".utf8)
            case escape: bytes.append(contentsOf: "\(escape)1".utf8)
            default: bytes.append(contentsOf: Character(scalar).utf8)
            }
        }
    }

    @Sendable static func decode(_ text: String) -> String {
        guard text.utf8.contains(0xF4) else { return text }
        var out = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                out.append(scalar == "0" ? "\0" : escape)
            } else if scalar != escape {
                out.append(scalar)
            }
            isEscaped = !isEscaped && scalar == escape
        }
        return String(out)
    }

    private static let escape: Unicode.Scalar = "\u{10FFFF}"
}
