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
        var rest = String(decoding: (asPasted ?? self).bytes, as: UTF8.self).unicodeScalars.filter { scalar in
            scalar != "-" && !Self.quotes.contains(scalar)
        }
        while rest.last == "." { rest.removeLast() }
        guard rest.count > length, rest.allSatisfy(\.isASCII) else { return nil }
        let bytes = rest.map { UInt8($0.value) }
        let (prefix, digits) = (bytes.dropLast(length), bytes.suffix(length))
        guard LicenseKeyPrefix.allows(prefix) else { return nil }
        let values = digits.map { CrockfordCheck.value(of: CrockfordCheck.withoutLookAlike($0)) }.compactMap(\.self)
        guard values.count == length, CrockfordCheck.isWhole(values) else { return nil }
        let key = LicenseKeyText(prefix: prefix, values: values)
        return key == self ? nil : key
    }

    /// ASCII quotes and accents, and the typographic quotes of all languages.
    private static let quotes: Set<Unicode.Scalar> = Set(
        "\"'`´‘’‚‛“”„‟‹›«»「」『』＂＇".unicodeScalars)
}
