/// Crockford's base 32 and the check character of minted license keys.
///
/// A key's digits are elements of the field with 32 elements: polynomials over the integers modulo 2, reduced by x^5 +
/// x^2 + 1. The digits are the coefficients of a polynomial whose last coefficient is the check character. The check
/// character makes the polynomial 0 at x, a generator of the field's 31 non-zero elements.
///
/// The digit at position i, counted from the end, therefore has the weight x^i. Among 16 positions, the weights are
/// distinct and none is 0. So these errors are always detected:
///
/// - a change e of one digit, since e * x^i is 0 only if e is;
/// - a swap of two digits with difference d, adjacent or not, since d * (x^i - x^j) is 0 only if d is.
///
/// Any other error goes undetected once in 32 cases.
enum CrockfordCheck {
    /// The digits for 0 to 31, without I, L and O (read as 1, 1 and 0) and without U.
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// The value of an upper-case digit; `nil` for any other character, including the look-alikes I, L and O.
    static func value(of digit: UInt8) -> UInt8? {
        values[Int(digit)]
    }

    /// Replaces I, L and O with the digit they are mistaken for; returns every other byte unchanged.
    static func withoutLookAlike(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: byte
        }
    }

    /// The check value to append to these values.
    static func check(for values: some Sequence<UInt8>) -> UInt8 {
        timesX(evaluate(values))
    }

    /// Whether the values, including the check value at the end, are consistent.
    static func isWhole(_ values: some Sequence<UInt8>) -> Bool {
        evaluate(values) == 0
    }

    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Evaluates the polynomial at x with Horner's rule.
    private static func evaluate(_ values: some Sequence<UInt8>) -> UInt8 {
        values.reduce(0) { timesX($0) ^ $1 }
    }

    private static func timesX(_ element: UInt8) -> UInt8 {
        let shifted = element << 1
        return shifted & 0b10_0000 == 0 ? shifted : shifted ^ 0b10_0101
    }
}
