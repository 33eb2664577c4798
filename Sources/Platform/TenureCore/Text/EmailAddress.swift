/// Checks the form of e-mail addresses, not whether they receive mail.
package enum EmailAddress {
    /// The pattern of an e-mail address in the JSON schema.
    ///
    /// Up to U+FFFF, it rejects the same characters as ``isOne(_:)``.
    package static let pattern = "^[^@\(refusedClass)]+@[^@\(refusedClass)]+$"

    /// Returns the text without the white space around it if the rest has the form of an address; otherwise `nil`.
    package static func read(_ typed: String) -> String? {
        var scalars = typed.unicodeScalars[...]
        while scalars.first?.properties.isWhitespace ?? false { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace ?? false { scalars.removeLast() }
        let text = String(scalars)
        return isOne(text) ? text : nil
    }

    /// Whether a text has exactly one `@` with text on both sides, and at most 254 bytes.
    ///
    /// White space, control characters and invisible characters are rejected. Otherwise, with a zero-width space, one
    /// person's address could pass for another's. The characters that structure a letter's header (RFC 5322, 3.2.3) are
    /// rejected, too: a comma would make two recipients of one address. A quoted local part may contain them, but such
    /// addresses aren't supported.
    package static func isOne(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && !text.unicodeScalars.contains { scalar in refused.contains { $0.contains(scalar.value) } }
    }

    /// `"(),:;<>[\]`, Unicode's white space, control and format characters, and characters that are displayed as
    /// nothing.
    private static let refused: [ClosedRange<UInt32>] = [
        0x00...0x20, 0x22...0x22, 0x28...0x29, 0x2C...0x2C, 0x3A...0x3C, 0x3E...0x3E, 0x5B...0x5D, 0x7F...0xA0,
        0xAD...0xAD, 0x34F...0x34F, 0x600...0x605, 0x61C...0x61C, 0x6DD...0x6DD,
        0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x115F...0x1160, 0x1680...0x1680, 0x17B4...0x17B5,
        0x180B...0x180F, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x206F, 0x3000...0x3000, 0x3164...0x3164,
        0xFE00...0xFE0F, 0xFEFF...0xFEFF, 0xFFA0...0xFFA0, 0xFFF0...0xFFFB, 0x110BD...0x110BD, 0x110CD...0x110CD,
        0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A, 0xE0000...0xE0FFF,
    ]

    /// The same characters for use between the brackets of a regular expression.
    ///
    /// Characters above U+FFFF are left out, because regular expression dialects escape them differently.
    private static let refusedClass = refused.filter { $0.upperBound <= 0xFFFF }.map { range in
        range.count == 1 ? escaped(range.lowerBound) : escaped(range.lowerBound) + "-" + escaped(range.upperBound)
    }
    .joined()

    private static func escaped(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
