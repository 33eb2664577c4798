extension String {
    /// The text without white space and line breaks at its ends.
    package var trimmed: String {
        let start = drop(while: \.isWhitespace)
        return String(start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? "")
    }
}
