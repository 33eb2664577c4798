extension String {
    /// The text without Unicode's white space, line breaks and byte order marks at its ends.
    package var trimmed: String {
        let isOuter: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        let start = unicodeScalars.drop(while: isOuter)
        return String(Substring(start.lastIndex { !isOuter($0) }.map { start[...$0] } ?? Substring.UnicodeScalarView()))
    }
}
