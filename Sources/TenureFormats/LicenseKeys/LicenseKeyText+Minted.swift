public import TenureCore

extension LicenseKeyText {
    /// Makes a new key, `PREF-XXXX-XXXX-XXXX-XXXX`: 15 random characters of Crockford's base 32 (75 bits) and a check.
    ///
    /// The check character notices every wrong character and every exchange of two; see ``looksMinted``.
    public static func mint(
        prefix: LicenseKeyPrefix, using generator: inout some RandomNumberGenerator
    ) -> LicenseKeyText {
        let (many, few) = (generator.next(), generator.next())
        var values = (0..<12).map { UInt8(truncatingIfNeeded: many >> UInt64($0 * 5)) & 31 }
        values += (0..<3).map { UInt8(truncatingIfNeeded: few >> UInt64($0 * 5)) & 31 }
        values.append(CrockfordCheck.check(for: values))
        var bytes = Array(prefix.text.utf8)
        for (place, value) in values.enumerated() {
            if place.isMultiple(of: 4) { bytes.append(UInt8(ascii: "-")) }
            bytes.append(CrockfordCheck.alphabet[Int(value)])
        }
        return LicenseKeyText(normal: bytes)
    }

    /// Whether the key has the shape of a minted one, only its own characters, and the right check character.
    ///
    /// A typing error is told from an unknown key this way, without asking a store.
    public var looksMinted: Bool {
        guard let tail = mintedTail else { return false }
        let values = bytes[tail].filter { $0 != UInt8(ascii: "-") }.map(CrockfordCheck.value)
        let known = values.compactMap { $0 }
        return known.count == values.count && CrockfordCheck.isWhole(known)
    }

    /// The key with O read as 0, and I and L as 1, behind the prefix; nil when that changes nothing, or when the text
    /// does not have the shape of a minted key. Look it up only after the key itself was not found (design §6).
    public var withoutLookAlikes: LicenseKeyText? {
        guard let tail = mintedTail else { return nil }
        let mapped = LicenseKeyText(
            normal: bytes[..<tail.lowerBound] + bytes[tail].map(CrockfordCheck.withoutLookAlike))
        return mapped == self ? nil : mapped
    }

    /// Where the groups behind the prefix are, when there are four of four digits or look-alikes.
    private var mintedTail: Range<Int>? {
        let tail = bytes.count - 20..<bytes.count
        guard tail.lowerBound > 0, LicenseKeyPrefix.allows(bytes[..<tail.lowerBound]) else { return nil }
        for (place, byte) in bytes[tail].enumerated() {
            let fits =
                place.isMultiple(of: 5)
                ? byte == UInt8(ascii: "-")
                : CrockfordCheck.value(of: CrockfordCheck.withoutLookAlike(byte)) != nil
            guard fits else { return nil }
        }
        return tail
    }
}
