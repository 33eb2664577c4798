/// Crockford's base 32, and the check character of minted keys.
///
/// The digits of a key are taken as elements of the field of 32 elements, whose bits are coefficients modulo
/// x^5 + x^2 + 1, and as the coefficients of a polynomial with the check character last. The check character is the one
/// that makes the polynomial vanish at x, a generator of the field's 31 non-zero elements.
///
/// So the digit at place i, counted from the end, weighs x^i; among 16 places no two weights are equal and none is 0.
/// Hence every change of one digit is noticed (e * x^i is not 0 unless e is), and so is every exchange of two digits,
/// neighbours or not (d * (x^i - x^j) is not 0 unless the digits were the same). Any other damage passes once in 32.
enum CrockfordCheck {
    /// The digits of 0 to 31: no I, L, O (taken for 1, 1, 0) and no U.
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The value of an upper-case digit, or nil for a character that is none; look-alikes are none.
    static func value(of digit: UInt8) -> UInt8? {
        values[Int(digit)]
    }

    /// The digit that I, L or O was meant to be, and every other byte itself.
    static func withoutLookAlike(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: byte
        }
    }

    /// The check value that belongs behind these values.
    static func check(for values: some Sequence<UInt8>) -> UInt8 {
        timesX(evaluate(values))
    }

    /// Whether values that end with their check value are whole.
    static func isWhole(_ values: some Sequence<UInt8>) -> Bool {
        evaluate(values) == 0
    }

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Horner's rule at x.
    private static func evaluate(_ values: some Sequence<UInt8>) -> UInt8 {
        values.reduce(0) { timesX($0) ^ $1 }
    }

    private static func timesX(_ element: UInt8) -> UInt8 {
        let shifted = element << 1
        return shifted & 0b10_0000 == 0 ? shifted : shifted ^ 0b10_0101
    }
}
