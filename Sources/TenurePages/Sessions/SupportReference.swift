package import TenureCore

/// What a person tells support, and support looks up: 8 characters of Crockford's base 32 in two groups.
///
/// It is made of the first 40 bits of the hash that a session is stored under, so every page of the session can show it
/// without anything else being kept, and every event of the session carries it. It opens nothing.
package struct SupportReference: Sendable, Hashable, CustomStringConvertible {
    /// The written form, such as `7QK2-M0ZD`.
    package let description: String

    /// The reference of a session.
    package init(of session: Digest) {
        let number = session.bytes.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(digits: (0..<8).map { Self.alphabet[Int(number >> UInt64(35 - 5 * $0) & 31)] })
    }

    /// Reads what a person wrote: in either case, with or without the hyphen, look-alikes for what they were meant to be.
    package init?(text: String) {
        var digits: [UInt8] = []
        for byte in text.uppercased().utf8 where !Self.ignored.contains(byte) {
            let digit =
                switch byte {
                case UInt8(ascii: "O"): UInt8(ascii: "0")
                case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
                default: byte
                }
            guard Self.alphabet.contains(digit), digits.count < 8 else { return nil }
            digits.append(digit)
        }
        guard digits.count == 8 else { return nil }
        self.init(digits: digits)
    }

    /// What an event carries of it.
    package var evidence: Reason.Evidence { .init(Self.evidenceName, .text(description)) }

    /// What the fact is called in an event's detail.
    package static let evidenceName = "reference"

    private init(digits: [UInt8]) {
        let text = String(decoding: digits, as: UTF8.self)
        description = "\(text.prefix(4))-\(text.suffix(4))"
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let ignored = Array(" -".utf8)
}
