import TenureCore
import TenureFormats
import TenureLicensing
import Testing

@Suite struct LicenseKeyTextTests {
    @Test(arguments: [
        ("note-abcd", "NOTE-ABCD"), (" NOTE \t-\n\u{B}\u{C}\rABCD ", "NOTE-ABCD"), ("a b c", "ABC"), ("é ß ı", "éßı"),
        ("e\u{301}", "E\u{301}"), ("\u{A0}a\u{2003}", "\u{A0}A\u{2003}"), ("a_b.c|d,é", "A_B.C|D,é"),
        ("O0I1L", "O0I1L"),
        ("\u{0}a", "\u{0}A"), ("--a--", "--A--"),
    ])
    func `normalizing a license key removes only ASCII white space and uppercases only ASCII letters`(
        typed: String, normal: String
    ) throws {
        let key = try #require(LicenseKeyText(typed))
        #expect(key.bytes == Array(normal.utf8))
        #expect(key.text.utf8.elementsEqual(normal.utf8))
    }

    @Test(arguments: ["", " ", "\t\n\u{B}\u{C}\r "])
    func `a text of white space isn't a license key`(typed: String) {
        #expect(LicenseKeyText(typed) == nil)
    }

    @Test(arguments: [
        "NOTE\u{A0}-PRO0-0000-0001", "\u{FEFF}NOTE-PRO0-0000-0001", "NOTE\u{2011}PRO0\u{2013}0000\u{2212}0001",
        "NO\u{AD}TE-PRO0-0000-0001", "note\u{2010}pro0\u{2012}0000\u{2014}0001",
        "NOTE\u{2015}PRO0\u{FE63}0000\u{FF0D}0001",
        "\u{200B}NOTE\u{200D}-PRO0\u{3000}-0000\u{202F}-0001\u{2009}\u{2028}", "\u{202A}NOTE-PRO0-0000-0001\u{202C}",
        "NOTE\u{2010}\u{2060}PRO0-0000-0001", "NOTE-PRO0-0000-0001\u{85}",
    ])
    func `characters that copying adds to a key are removed only on request`(pasted: String) throws {
        let key = try #require(LicenseKeyText(pasted))
        #expect(key.text != "NOTE-PRO0-0000-0001")
        #expect(key.asPasted?.text == "NOTE-PRO0-0000-0001")
        #expect(key.asPasted?.asPasted == nil)
    }

    @Test(arguments: ["NOTE-PRO0-0000-0001", "a_b.c|d,é", "кл\u{301}юч", "\u{FEFF}", "\u{A0}\u{AD}\u{200B}"])
    func `a text with none of the characters that copying adds to a key, or with nothing else, isn't cleaned`(
        text: String
    ) throws {
        #expect(try #require(LicenseKeyText(text)).asPasted == nil)
    }

    @Test func `normalizing a normalized key changes nothing`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<1000 {
            let count = Int.random(in: 1..<40, using: &generator)
            var text = ""
            for _ in 0..<count {
                text.unicodeScalars.append(Unicode.Scalar(.random(in: 0..<0x250, using: &generator)) ?? "x")
            }
            let key = LicenseKeyText(text)
            #expect(key.flatMap { LicenseKeyText($0.text) } == key)
            #expect(LicenseKeyText(" \(text)\n") == key)
        }
    }

    @Test func `a license key's digest is the SHA-256 of its normal form`() throws {
        let key = try #require(LicenseKeyText(" a b c"))
        // The SHA-256 of "ABC".
        #expect(
            Hex.encode(key.digest.bytes) == "b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78")
    }

    @Test(arguments: [
        ("NOTE-PRO0-ABCD-EFGH-0001", "NOTE-****-****-****-0001"), ("NOTE-PRO0-0000-0001", "NOTE-****-****-0001"),
        ("NOTE-ABCDEFGH-IJKL", "NOTE-****-IJKL"), ("NOTE-ABCDEFGHIJKLMNOP", "NOTE-****-MNOP"),
        ("NOTE-ABCD-EFGH", "NOTE-****"),
        ("NOTE-ABCDEFG-HIJK", "NOTE-****"), ("NOTE-", "NOTE-****"), ("NOTE", "****"), ("A", "****"),
        ("ABCDEFGH", "****"),
        ("ABCDEFGHIJK", "****"), ("ABCDEFGHIJKL", "****-IJKL"), ("OTHR-ABCD-EFGH-IJKL", "****-****-****-IJKL"),
        ("NOTES-ABCD-EFGH-IJKL", "****-****-****-IJKL"), ("NOTE-ABCDEFGH-IJK", "NOTE-****"),
        ("NOTE-ABCDEFGH-", "NOTE-****"),
        ("ABCDEFGHIJKLé", "****"), ("A-B-C-D-E-F-G-H-I-J-KLMN", "****-****-****-****-****-****-KLMN"),
    ])
    func `a masked key shows at most its prefix and its last four characters`(text: String, masked: String) throws {
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        #expect(try #require(LicenseKeyText(text)).masked(showing: prefix) == masked)
    }

    @Test func `a masked key shows its last four characters only if the key has at least twelve`() throws {
        var generator = SeededGenerator(seed: 4)
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        for _ in 0..<2000 {
            let letters = Array("ABCDEFGH0123----")
            let tail = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
                letters.randomElement(using: &generator) ?? "-"
            }
            let key = try #require(LicenseKeyText((Bool.random(using: &generator) ? "NOTE-" : "X") + String(tail)))
            let masked = key.masked(showing: prefix)
            let shown = masked.dropFirst(masked.hasPrefix("NOTE-") ? 5 : 0).filter { $0 != "*" && $0 != "-" }
            #expect(shown.count == 0 || shown.count == 4, "\(masked)")
            if !shown.isEmpty { #expect(key.text.filter { $0 != "-" }.count >= 12, "\(masked)") }
        }
    }

    @Test func `a license key is printed masked, and stored as its digest and masked text`() throws {
        let key = try #require(LicenseKeyText("NOTE-ABCD-EFGH-IJKL"))
        #expect("\(key)" == "****-****-****-IJKL")
        #expect(
            key.stored(under: LicenseKeyPrefix("NOTE")) == LicenseKey(hash: key.digest, masked: "NOTE-****-****-IJKL"))
    }

    @Test(arguments: ["", "A", "ABCDEFGHI", "note", "NO-T", "NOTÉ", "NO E"])
    func `a malformed license key prefix is refused`(text: String) {
        #expect(LicenseKeyPrefix(text) == nil)
    }

    @Test(arguments: ["AB", "NOTE", "00", "ABCDEFG8", "OIL"])
    func `a license key prefix has two to eight capital letters and digits`(text: String) {
        #expect(LicenseKeyPrefix(text)?.text == text)
    }
}
