import TenureCore
import TenureLicensing
import Testing

/// Keys that people copy or type carelessly.
@Suite struct ForgivenKeyTests {
    /// Ways to write `NOTE-1111-2222-3333-444C`, where C is the check character.
    private static let ways: [@Sendable (String) -> String] = [
        { $0.replacing("-", with: "") }, { $0.replacing("-", with: "").lowercased() }, { $0 + "." }, { "“\($0)”" },
        { "„\($0)“." }, { "'\($0)'" }, { "«\($0)».." }, { "\"\($0)\"" }, { $0.replacing("-", with: " ") },
        { $0.replacing("-", with: "\u{2013}") + "." }, { $0.replacing("-", with: "--") },
        { String($0.dropLast(5)) + $0.suffix(4) }, { $0.replacing("-", with: "").replacing("0", with: "o") },
        { "\u{A0}\($0).\u{A0}" }, { "-\($0)-" }, { $0.replacing("-", with: "_") }, { $0.replacing("-", with: ".") },
        { "(\($0))" }, { "[\($0)]," }, { "<\($0)>" }, { "{\($0)};" }, { "¿\($0)?!" }, { "【\($0)】。" }, { "*\($0)*" },
        { "\($0)\($0)" }, { "\($0)\n\($0)\n" }, { "\($0), \($0)." }, fullWidth, { fullWidth($0.lowercased()) },
        { $0.replacing("I", with: "\u{130}") }, { $0.lowercased().replacing("i", with: "\u{131}") },
        { $0.replacing("I", with: "I\u{307}") }, { "\u{FEFF}\($0)\u{FE0F}." },
    ]

    /// Returns the key in full-width characters, as an input method for Japanese writes it.
    private static func fullWidth(_ key: String) -> String {
        var written = String.UnicodeScalarView()
        for scalar in key.unicodeScalars { written.append(Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar) }
        return String(written)
    }

    @Test(arguments: 0..<60)
    func `a generated key is read despite other case, width or separators, quotation marks around it, or repetition`(
        seed: Int
    )
        throws
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let prefix = try #require(LicenseKeyPrefix(["NOTE", "AB", "LONGPREF", "N0OIL1"][seed % 4]))
        let key = LicenseKeyText.mint(prefix: prefix, using: &random)
        #expect(key.asMinted() == nil, "it is read as it stands")
        for way in Self.ways where !(way(key.text).contains("o") && prefix.text.contains("0")) {
            let typed = try #require(LicenseKeyText(way(key.text)))
            #expect(typed.asMinted() == key || typed.asPasted == key || typed == key, "\(way(key.text))")
        }
    }

    @Test func `a generated key without its prefix is read with its product's prefix`() throws {
        var random = SeededGenerator(seed: 7)
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        let key = LicenseKeyText.mint(prefix: prefix, using: &random)
        let digits = String(key.text.dropFirst(5))
        for text in [digits, "(\(digits))", digits.replacing("-", with: ""), digits + digits, Self.fullWidth(digits)] {
            let typed = try #require(LicenseKeyText(text))
            #expect(typed.asMinted(under: prefix) == key)
            #expect(typed.asMinted(under: LicenseKeyPrefix("MART")) != key)
            #expect(typed.asMinted() == nil)
        }
    }

    @Test func `a generated key with a wrong character after its prefix isn't corrected`() throws {
        var random = SeededGenerator(seed: 5)
        let key = LicenseKeyText.mint(prefix: try #require(LicenseKeyPrefix("NOTE")), using: &random)
        let plain = key.text.replacing("-", with: "")
        for index in plain.indices.dropFirst(4) {
            for digit in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" where digit != plain[index] {
                var wrong = plain
                wrong.replaceSubrange(index...index, with: String(digit))
                #expect(try #require(LicenseKeyText(wrong)).asMinted() == nil)
            }
        }
    }

    @Test func `two copies of a generated key with a letter between them aren't read as the key`() throws {
        var random = SeededGenerator(seed: 6)
        let key = LicenseKeyText.mint(prefix: try #require(LicenseKeyPrefix("NOTE")), using: &random)
        #expect(try #require(LicenseKeyText("\(key.text), \(key.text)")).asMinted() == key)
        #expect(try #require(LicenseKeyText("\(key.text)Z\(key.text)")).asMinted() == nil)
    }

    @Test(
        arguments: [
            "NOTEPRO000000001", "NOTE-PRO0-0000-0001.", "ada@example.com", ".", "“”", "-", "0000000000000001",
            "NOTES-0000-0000-0000-0000-0000", "ключ", "N0000000000000000", "LONGPREFIX0000000000000000",
        ])
    func `a text that doesn't have a generated key's format isn't read as a generated key`(text: String) throws {
        let typed = try #require(LicenseKeyText(text))
        #expect(typed.asMinted() == nil)
        #expect(typed.asMinted(under: LicenseKeyPrefix("TE")) == nil)
    }
}
