public import TenureCore
import TenureCrypto

/// A license key in its normal form: the typed text without white space, in upper case.
///
/// Normalization works on bytes: it drops ASCII white space and converts ASCII letters to upper case. Other letters
/// stay unchanged, because their upper case depends on language and Unicode version. The key is a secret, so
/// ``description`` is masked.
public struct LicenseKeyText: Sendable, Hashable, CustomStringConvertible {
    /// The number of bytes that a typed key may have. Keys of other systems may contain a signature, and have hundreds.
    public static let longest = 4096

    /// The bytes of the normal form; never empty.
    public let bytes: [UInt8]

    /// Normalizes a text; fails if it contains only white space, or more than ``longest`` bytes.
    public init?(_ typed: String) {
        guard typed.utf8.count <= Self.longest else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(typed.utf8.count)
        for byte in typed.utf8 {
            if let byte = Self.normalized(byte) { bytes.append(byte) }
        }
        guard !bytes.isEmpty else { return nil }
        self.init(normal: bytes)
    }

    /// The normal form as text. It's the secret itself, so never log it.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The SHA-256 of the normal form, for storage and lookup; in hexadecimal, a lease's `licenseKeyHash`.
    public var digest: Digest {
        guard let digest = Digest(SHA256.hash(bytes)) else { preconditionFailure("SHA-256 has 32 bytes") }
        return digest
    }

    /// The part of the key that a store keeps: its digest, and its masked form with the product's prefix.
    public func stored(under prefix: LicenseKeyPrefix?) -> LicenseKey {
        LicenseKey(hash: digest, masked: masked(showing: prefix))
    }

    /// The masked form, without a prefix.
    public var description: String { masked(showing: nil) }

    init(normal bytes: [UInt8]) {
        self.bytes = bytes
    }

    private static func normalized(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x20, 0x09...0x0D: nil
        case 0x61...0x7A: byte - 0x20
        default: byte
        }
    }
}

extension LicenseKeyText {
    /// Creates a random key, `PREF-XXXX-XXXX-XXXX-XXXX`: 15 random base-32 characters (75 bits) and a check character.
    ///
    /// The check character detects every wrong character and every swap of two; see ``looksMinted``.
    public static func mint(
        prefix: LicenseKeyPrefix, using generator: inout some RandomNumberGenerator
    ) -> LicenseKeyText {
        LicenseKeyText(prefix: prefix, many: generator.next(), few: generator.next())
    }

    /// Creates a key from 60 bits of `many` and 15 bits of `few`.
    init(prefix: LicenseKeyPrefix, many: UInt64, few: UInt64) {
        var values = (0..<12).map { UInt8(truncatingIfNeeded: many >> UInt64($0 * 5)) & 31 }
        values += (0..<3).map { UInt8(truncatingIfNeeded: few >> UInt64($0 * 5)) & 31 }
        values.append(CrockfordCheck.check(for: values))
        self.init(prefix: prefix.text.utf8, values: values)
    }

    /// The number of base-32 digits in a minted key, with the check character.
    static let mintedDigits = 16

    /// Writes the digits of a minted key in groups of four.
    init(prefix: some Sequence<UInt8>, values: [UInt8]) {
        var bytes = Array(prefix)
        for (index, value) in values.enumerated() {
            if index.isMultiple(of: 4) { bytes.append(UInt8(ascii: "-")) }
            bytes.append(CrockfordCheck.alphabet[Int(value)])
        }
        self.init(normal: bytes)
    }

    /// Whether the key has the format, the alphabet and the check character of a minted key.
    ///
    /// It distinguishes a typing error from an unknown key without querying a store.
    public var looksMinted: Bool {
        guard let tail = mintedTail else { return false }
        let values = bytes[tail].filter { $0 != UInt8(ascii: "-") }.map(CrockfordCheck.value)
        let characters = values.compactMap { $0 }
        return characters.count == values.count && CrockfordCheck.isWhole(characters)
    }

    /// The key with O read as 0, and I and L as 1, after the prefix.
    ///
    /// The result is `nil` if that changes nothing or the text doesn't have the format of a minted key. Look this form
    /// up only if the key itself wasn't found.
    public var withoutLookAlikes: LicenseKeyText? {
        guard let tail = mintedTail, bytes[tail].contains(where: { CrockfordCheck.withoutLookAlike($0) != $0 }) else {
            return nil
        }
        return LicenseKeyText(normal: bytes[..<tail.lowerBound] + bytes[tail].map(CrockfordCheck.withoutLookAlike))
    }

    /// The range after the prefix, if it consists of four groups of four digits or look-alikes.
    private var mintedTail: Range<Int>? {
        let tail = bytes.count - 20..<bytes.count
        guard tail.lowerBound > 0, LicenseKeyPrefix.allows(bytes[..<tail.lowerBound]) else { return nil }
        for (index, byte) in bytes[tail].enumerated() {
            let fits =
                index.isMultiple(of: 5)
                ? byte == UInt8(ascii: "-")
                : CrockfordCheck.value(of: CrockfordCheck.withoutLookAlike(byte)) != nil
            guard fits else { return nil }
        }
        return tail
    }

    /// The key with most of it hidden, such as `NOTE-****-****-****-0001`.
    ///
    /// Only these parts are shown:
    ///
    /// - the product's prefix, if the key begins with it;
    /// - the last four characters, if they are printable ASCII and at least eight others stay hidden.
    ///
    /// A hidden group is shown as four asterisks, whatever its length, and there are at most six of them.
    public func masked(showing prefix: LicenseKeyPrefix?) -> String {
        let dash = UInt8(ascii: "-")
        var groups = bytes.split(separator: dash, omittingEmptySubsequences: false)
        var shown: [String] = []
        if let prefix, groups.count > 1, groups[0].elementsEqual(prefix.text.utf8) {
            shown.append(prefix.text)
            groups.removeFirst()
        }
        let last = groups[groups.count - 1].suffix(4)
        let hidden = groups.reduce(0) { $0 + $1.count } - last.count
        let mayShow = hidden >= 8 && last.count == 4 && last.allSatisfy { (0x21...0x7E).contains($0) }
        guard mayShow else { return (shown + ["****"]).joined(separator: "-") }
        let ending = String(decoding: last, as: UTF8.self)
        let hiddenGroups = min(6, groups[groups.count - 1].count > 4 ? groups.count : groups.count - 1)
        return (shown + Array(repeating: "****", count: hiddenGroups) + [ending]).joined(separator: "-")
    }
}
