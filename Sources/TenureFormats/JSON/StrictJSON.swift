/// The JSON that Tenure reads: RFC 8259, and no text that two readers could take differently.
///
/// Refused beyond the grammar: two members of one name in one object (compared as they read, after unescaping), more
/// than 32 levels, a byte order mark, and `\u` escapes of lone surrogates.
public enum StrictJSON {
    /// How deep arrays and objects may be nested.
    public static let depthLimit = 32

    /// Checks a whole text in one pass, without recursion, and answers what its outermost value is.
    ///
    /// Time grows with the length alone, whatever the bytes. Throws: every code of ``JSONError`` but `.notAnObject`.
    @discardableResult
    public static func validate(_ bytes: [UInt8]) throws(JSONError) -> JSONKind {
        var scanner = JSONScanner(bytes, range: 0..<bytes.count)
        return try scanner.scanText()
    }
}
