package import TenureCore

/// A reference that a person tells the support team: 8 characters of Crockford's base 32 in two groups.
///
/// It encodes the first 40 bits of the hash under which a session is stored, so the reference needs no column. The
/// session's pages show the reference, and its events contain it. The reference grants no access.
package struct SupportReference: Sendable, Hashable, CustomStringConvertible {
    /// The text form, such as `7QK2-M0ZD`.
    package let description: String

    /// Creates the reference of a session.
    package init(of session: Digest) {
        let number = session.bytes.prefix(5).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(digits: (0..<8).map { Self.alphabet[Int(number >> UInt64(35 - 5 * $0) & 31)] })
    }

    /// Parses a reference that a person typed; `nil` if it's invalid.
    ///
    /// Case, hyphens and spaces are ignored. `O` is read as `0`, and `I` and `L` are read as `1`.
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

    /// The lowest and the highest hash of a session with this reference.
    package var hashes: (first: Digest, last: Digest) {
        let digits = description.utf8.compactMap { Self.alphabet.firstIndex(of: $0) }
        let number = digits.reduce(UInt64(0)) { $0 << 5 | UInt64($1) }
        func hash(endingWith byte: UInt8) -> Digest {
            let bytes = (0..<5).map { UInt8(truncatingIfNeeded: number >> UInt64(32 - 8 * $0)) }
            guard let hash = Digest(bytes + [UInt8](repeating: byte, count: 27)) else {
                preconditionFailure("a digest has 32 bytes")
            }
            return hash
        }
        return (hash(endingWith: 0), hash(endingWith: .max))
    }

    /// The fact that contains the reference in an event.
    package var evidence: Reason.Evidence { .init(Self.evidenceName, .text(description)) }

    /// The name of the fact that contains the reference.
    package static let evidenceName = "reference"

    private init(digits: [UInt8]) {
        let text = String(decoding: digits, as: UTF8.self)
        description = "\(text.prefix(4))-\(text.suffix(4))"
    }

    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let ignored = Array(" -".utf8)
}
