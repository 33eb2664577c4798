extension String {
    /// The text without control characters other than line feeds and tabs, and without bytes that aren't UTF-8.
    ///
    /// libpq's messages can contain random bytes (seen with version 15, for files that it can't open).
    var printable: String {
        let scalars = unicodeScalars.filter { scalar in
            switch scalar.value {
            case 9, 10: true
            case 0..<32, 127..<160, 0xFFFD: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
