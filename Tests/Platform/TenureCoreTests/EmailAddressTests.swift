import Foundation
import TenureCore
import Testing

@Suite struct EmailAddressTests {
    @Test func `an e-mail address with any invisible character is rejected, and one with any letter is accepted`() {
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

    @Test(arguments: [
        "a,b@example.com", "<ada@example.com>", "Ada<ada@example.com", "ada(home)@example.com", "ada;eve@example.com",
        "\"ada\"@example.com", "ada@[127.0.0.1]", "ada\\@example.com", "a:b@example.com",
    ])
    func `an e-mail address with a character that has a meaning in mail headers is rejected`(text: String) {
        #expect(!EmailAddress.isOne(text))
    }

    @Test func `white space around an e-mail address is removed, and its letter case is kept`() {
        #expect(EmailAddress.read(" \tAda@Example.com\u{A0}\n") == "Ada@Example.com")
        #expect(EmailAddress.read("ada @example.com") == nil)
        #expect(EmailAddress.read(" ") == nil)
    }

    @Test func `an e-mail address has at most 254 bytes, and exactly one @ between nonempty parts`() {
        let domain = "@example.com"
        #expect(EmailAddress.isOne(String(repeating: "a", count: 254 - domain.utf8.count) + domain))
        #expect(!EmailAddress.isOne(String(repeating: "a", count: 255 - domain.utf8.count) + domain))
        for text in ["ada", "@example.com", "ada@", "ada@eve@example.com"] { #expect(!EmailAddress.isOne(text)) }
    }

    @Test func `the schema's pattern and the parser reject the same characters of e-mail addresses up to U+0700`()
        throws
    {
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
