extension LicenseKeyText {
    /// The minted key that this text contains, copied or typed carelessly.
    ///
    /// Punctuation, symbols, marks and invisible characters are ignored wherever they are, so dashes may be missing,
    /// misplaced or written in another way. Full-width letters and digits are read as ASCII, look-alikes as digits, and
    /// a Turkish dotless or dotted i as `I`. The text may contain the key twice. The result is `nil` if the remaining
    /// text lacks the format or the check character of a minted key. It's also `nil` if the text already is that key.
    ///
    /// Look this form up last. The lease stays bound to the text as it was sent.
    ///
    /// - Parameter prefix: The prefix of the product's keys, for a text that lacks it.
    public func asMinted(under prefix: LicenseKeyPrefix? = nil) -> LicenseKeyText? {
        // A minted key is shorter, even twice and with punctuation. Longer texts from outside aren't examined.
        guard bytes.count <= 512, let characters = lettersAndDigits, let written = Self.once(characters) else {
            return nil
        }
        let length = Self.mintedDigits
        let digits = written.suffix(length)
        let start = written.count == length ? prefix.map { Array($0.text.utf8)[...] } : written.dropLast(length)
        guard let start, LicenseKeyPrefix.allows(start) else { return nil }
        let values = digits.compactMap { CrockfordCheck.value(of: CrockfordCheck.withoutLookAlike($0)) }
        guard values.count == length, CrockfordCheck.isWhole(values) else { return nil }
        let key = LicenseKeyText(prefix: start, values: values)
        return key == self ? nil : key
    }

    /// The ASCII letters, in upper case, and digits of the text; `nil` if it has letters or digits of another script.
    private var lettersAndDigits: [UInt8]? {
        var found: [UInt8] = []
        found.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x41...0x5A: found.append(UInt8(scalar.value))
            // Full-width forms: an input method for Chinese, Japanese or Korean writes them.
            case 0xFF10...0xFF19, 0xFF21...0xFF3A: found.append(UInt8(scalar.value - 0xFEE0))
            case 0xFF41...0xFF5A: found.append(UInt8(scalar.value - 0xFEE0 - 0x20))
            // In Turkish, the upper case of i is İ, and the lower case of I is ı.
            case 0x130, 0x131: found.append(UInt8(ascii: "I"))
            default: if scalar.isLetterOrDigit { return nil }
            }
        }
        return found
    }

    /// The characters of one key, also if the key was pasted twice; `nil` if they are too few or too many for a key.
    private static func once(_ characters: [UInt8]) -> ArraySlice<UInt8>? {
        let lengths = mintedDigits...mintedDigits + LicenseKeyPrefix.longest
        if lengths.contains(characters.count) { return characters[...] }
        let half = characters.count / 2
        // An odd number has one more character between the copies.
        guard characters.count == 2 * half, lengths.contains(half),
            characters.prefix(half) == characters.suffix(half)
        else { return nil }
        return characters.prefix(half)
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

extension Unicode.Scalar {
    /// Whether a text that contains the character is more than a key with punctuation, symbols or spaces around it.
    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
