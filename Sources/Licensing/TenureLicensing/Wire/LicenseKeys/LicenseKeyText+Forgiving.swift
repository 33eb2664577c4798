extension LicenseKeyText {
    /// The minted key that this text contains, copied or typed carelessly.
    ///
    /// Dashes may be missing or misplaced. Quotes around it and a full stop at its end are ignored, and look-alikes are
    /// read as digits. The result is `nil` unless the rest has the format and the check character of a minted key, or if
    /// the text already is that key.
    ///
    /// Look this form up last. The lease stays bound to the text as it was sent.
    public var asMinted: LicenseKeyText? {
        let length = Self.mintedDigits
        let rest = withoutQuotes.unicodeScalars.filter { $0 != "-" }
        guard rest.count > length, rest.allSatisfy(\.isASCII) else { return nil }
        let bytes = rest.map { UInt8($0.value) }
        let (prefix, digits) = (bytes.dropLast(length), bytes.suffix(length))
        guard LicenseKeyPrefix.allows(prefix) else { return nil }
        let values = digits.map { CrockfordCheck.value(of: CrockfordCheck.withoutLookAlike($0)) }.compactMap(\.self)
        guard values.count == length, CrockfordCheck.isWhole(values) else { return nil }
        let key = LicenseKeyText(prefix: prefix, values: values)
        return key == self ? nil : key
    }

    /// The text, as copied, without quotes and without full stops at its end.
    package var withoutQuotes: String {
        var rest = String(decoding: (asPasted ?? self).bytes, as: UTF8.self).unicodeScalars.filter {
            !Self.quotes.contains($0)
        }
        while rest.last == "." { rest.removeLast() }
        return String(String.UnicodeScalarView(rest))
    }

    /// ASCII quotes and accents, and the typographic quotes of all languages.
    private static let quotes: Set<Unicode.Scalar> = Set(
        "\"'`´‘’‚‛“”„‟‹›«»「」『』＂＇".unicodeScalars)
}
