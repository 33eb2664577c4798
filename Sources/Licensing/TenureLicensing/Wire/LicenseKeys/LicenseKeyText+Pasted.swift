extension LicenseKeyText {
    /// The key without what mail programs, web pages and word processors add to copied text.
    ///
    /// All kinds of Unicode spaces and invisible characters are removed, and all kinds of dashes become `-`. The result
    /// is `nil` if that changes nothing or leaves nothing.
    ///
    /// Look this form up only if the key itself wasn't found. An imported key may contain such characters, and its hash
    /// is that of the normal form, which keeps them.
    public var asPasted: LicenseKeyText? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case let value where Self.isUnseen(value): continue
            case let value where Self.isDash(value): folded.append(UInt8(ascii: "-"))
            default: folded += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return folded.isEmpty || folded == bytes ? nil : LicenseKeyText(normal: folded)
    }

    /// Whether a character is a non-ASCII space, a line end or invisible.
    ///
    /// Invisible are the soft hyphen, zero-width spaces, joiners and non-joiners, direction marks, variation selectors
    /// and the byte order mark.
    private static func isUnseen(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        case 0xAD, 0x34F, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF:
            true
        default: false
        }
    }

    /// Whether a character is a hyphen, dash or minus sign of any script.
    private static func isDash(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D7, 0x58A, 0x5BE, 0x1400, 0x1806, 0x2010...0x2015, 0x2043, 0x207B, 0x208B, 0x2212: true
        case 0x23AF, 0x2500, 0x2501, 0x2796, 0x2E17, 0x2E1A, 0x2E3A, 0x2E3B, 0x2E40, 0x2E5D: true
        case 0x301C, 0x3030, 0x30A0, 0x30FC, 0xFE31, 0xFE32, 0xFE58, 0xFE63, 0xFF0D, 0xFF70, 0x10EAD: true
        default: false
        }
    }
}
