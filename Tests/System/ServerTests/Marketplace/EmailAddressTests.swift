import Foundation
import TenureMarketplaceServer
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

    @Test func `the schema's pattern rejects the same up to four hexadecimal digits`() throws {
        let pattern = try NSRegularExpression(pattern: EmailAddress.pattern)
        let values =
            Array(UInt32(1)...0x700) + [
                0x115E, 0x115F, 0x1160, 0x1161, 0x200B, 0x2010, 0x2028, 0x2060, 0x2070, 0x3164, 0xFEFF, 0xFFFC,
            ]
        for value in values {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "ada" + String(Character(scalar)) + "@example.com"
            let isMatch = pattern.numberOfMatches(in: text, range: NSRange(text.startIndex..., in: text)) == 1
            #expect(isMatch == EmailAddress.isOne(text), "U+\(String(value, radix: 16))")
        }
    }
}
