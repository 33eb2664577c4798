import TenureMarketplace
import Testing

@Suite struct EmailAddressTests {
    @Test func `every invisible character is rejected, and no letter`() {
        var wrong: [String] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            let isUnseen =
                properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || [.control, .format].contains(properties.generalCategory)
            let isLetter = properties.isAlphabetic && !properties.isDefaultIgnorableCodePoint
            guard isUnseen || isLetter else { continue }
            let text = "ada" + String(Character(scalar)) + "@example.com"
            if EmailAddress.isOne(text) == isUnseen { wrong.append(String(value, radix: 16)) }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `the schema's pattern rejects the same`() throws {
        let pattern = try Regex(EmailAddress.pattern).byScalar()
        let values =
            Array(UInt32(1)...0x700) + [
                0x115E, 0x115F, 0x1160, 0x1161, 0x200B, 0x2010, 0x2028, 0x2060, 0x2070, 0x3164, 0xFEFF, 0xFFFC, 0x110BD,
                0x110BE, 0x1D173, 0x1D17B, 0xE0001, 0xE0FFF, 0xE1000,
            ]
        for value in values {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "ada" + String(Character(scalar)) + "@example.com"
            #expect(
                (try pattern.wholeMatch(in: text) != nil) == EmailAddress.isOne(text), "U+\(String(value, radix: 16))")
        }
    }
}

extension Regex where Output == AnyRegexOutput {
    /// The regex that matches scalar by scalar, as JSON schemas do.
    fileprivate func byScalar() -> Regex { matchingSemantics(.unicodeScalar) }
}
