/// A text in the form that look-ups compare; spellings that people consider equal have the same form.
///
/// ```swift
/// FoldedText(" Mia@Example.COM ") == FoldedText("mia@example.com")
/// ```
///
/// White space at both ends is removed, and each run of it inside becomes one space. The rest is in Unicode's normal
/// form C and in lower case. Apart from white space, no non-ASCII scalar becomes ASCII: the Kelvin sign, for example,
/// doesn't become `k`. Otherwise, the mailboxes of two people could be the same.
///
/// The form serves only comparisons. Stored names and the addresses of letters are the text as it was typed.
public struct FoldedText: Sendable, Hashable {
    /// The folded text.
    public let text: String

    /// Folds a text; folding a folded text again changes nothing.
    public init(_ typed: String) { text = Self.isFolded(typed) ? typed : Self.fold(typed) }

    /// Takes a text that has been folded before, possibly by an earlier version.
    package init(folded text: String) { self.text = text }

    /// Compares the bytes. Swift's own comparison would take the Greek question mark for a semicolon.
    public static func == (one: FoldedText, other: FoldedText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }

    /// Whether a text is certainly folded. It recognizes only ASCII, so the result may be `false` for a folded text.
    private static func isFolded(_ text: String) -> Bool {
        var last = UInt8(ascii: " ")
        for byte in text.utf8 {
            switch byte {
            case 0x80..., UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x09...0x0D: return false
            case UInt8(ascii: " ") where last == byte: return false
            default: last = byte
            }
        }
        return last != UInt8(ascii: " ") || text.isEmpty
    }

    private static func fold(_ text: String) -> String {
        var scalars: [Unicode.Scalar] = []
        for word in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            if !scalars.isEmpty { scalars.append(" ") }
            scalars += word
        }
        var folded = String.UnicodeScalarView()
        // Lower case can contain marks that compose with the scalars before them.
        let lower = CanonicalComposition.compose(scalars).flatMap(lowercase)
        folded.append(contentsOf: CanonicalComposition.compose(lower))
        return String(folded)
    }

    /// Returns a scalar in lower case. A non-ASCII scalar is returned unchanged if its lower case contains ASCII.
    private static func lowercase(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let lower = Array(scalar.properties.lowercaseMapping.unicodeScalars)
        return scalar.isASCII || !lower.contains(where: \.isASCII) ? lower : [scalar]
    }
}
