extension LicenseKeyText {
    /// The key without what mail programs, web pages and word processors put into a copied text; nil when that changes
    /// nothing, or leaves nothing.
    ///
    /// Every kind of space goes, and what has no width; every kind of dash becomes `-`. Look it up only after the key
    /// itself was not found: an imported key may have such characters of its own, and its hash is of the normal form,
    /// which keeps them.
    public var asPasted: LicenseKeyText? {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case let value where Self.isUnseen(value): continue
            case let value where Self.isDash(value): folded.append(UInt8(ascii: "-"))
            default: folded += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
        return folded.isEmpty || folded == bytes ? nil : LicenseKeyText(normal: folded)
    }

    /// Spaces and line ends beyond ASCII, and characters that nobody sees: soft hyphen, zero-width space, joiners and
    /// non-joiners, direction marks, variation selectors, byte order mark.
    private static func isUnseen(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        case 0xAD, 0x34F, 0x61C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF:
            true
        default: false
        }
    }

    /// Hyphens, dashes and minus signs of all scripts.
    private static func isDash(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x2D7, 0x58A, 0x5BE, 0x1400, 0x1806, 0x2010...0x2015, 0x2043, 0x207B, 0x208B, 0x2212: true
        case 0x23AF, 0x2500, 0x2501, 0x2796, 0x2E17, 0x2E1A, 0x2E3A, 0x2E3B, 0x2E40, 0x2E5D: true
        case 0x301C, 0x3030, 0x30A0, 0x30FC, 0xFE31, 0xFE32, 0xFE58, 0xFE63, 0xFF0D, 0xFF70, 0x10EAD: true
        default: false
        }
    }
}
