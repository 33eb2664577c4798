/// What is taken for an e-mail address; whether it works only a letter can show.
public enum EmailAddress {
    /// Whether a text has one `@` with something on both sides, no white space and no control characters, in 3 to 254
    /// bytes.
    public static func isOne(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 254
            && !text.unicodeScalars.contains { $0.properties.isWhitespace || $0.value < 0x20 || $0.value == 0x7F }
    }
}
