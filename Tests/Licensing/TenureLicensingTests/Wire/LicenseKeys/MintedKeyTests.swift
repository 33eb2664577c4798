import TenureCore
import TenureCrypto
import TenureLicensing
import Testing

@Suite struct MintedKeyTests {
    static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let prefix: LicenseKeyPrefix
    let keys: [LicenseKeyText]

    init() throws {
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        var generator = SeededGenerator(seed: 5)
        keys = (0..<40).map { _ in .mint(prefix: prefix, using: &generator) }
        self.prefix = prefix
    }

    @Test func `a generated key has four groups of four characters, for every length of prefix`() throws {
        var generator = SecureRandom()
        for length in 2...8 {
            let prefix = try #require(LicenseKeyPrefix(String(repeating: "Z", count: length)))
            let key = LicenseKeyText.mint(prefix: prefix, using: &generator)
            let groups = key.text.split(separator: "-", omittingEmptySubsequences: false)
            #expect(groups.map(\.count) == [length, 4, 4, 4, 4])
            #expect(groups[0] == prefix.text)
            #expect(groups.dropFirst().joined().allSatisfy(Self.alphabet.contains))
            #expect(key.looksMinted)
            #expect(LicenseKeyText(key.text.lowercased()) == key)
        }
    }

    @Test func `the fifteen random characters and the check character of generated keys take all 32 values`() {
        var generator = SeededGenerator(seed: 6)
        var seen = Array(repeating: Set<Character>(), count: 16)
        for _ in 0..<1000 {
            let tail = LicenseKeyText.mint(prefix: prefix, using: &generator).text.dropFirst(5).filter { $0 != "-" }
            for (index, character) in tail.enumerated() { seen[index].insert(character) }
        }
        #expect(seen.allSatisfy { $0.count == 32 })
    }

    @Test func `keys with check characters computed by hand are accepted as generated keys`() throws {
        // The check polynomial is x^5 + x^2 + 1. A single 1 in the first position has the weight x^15 = 31; in the last
        // but one, x.
        #expect(try #require(LicenseKeyText("NOTE-1000-0000-0000-000Z")).looksMinted)
        #expect(try #require(LicenseKeyText("NOTE-0000-0000-0000-0012")).looksMinted)
        #expect(try #require(LicenseKeyText("NOTE-0000-0000-0000-0000")).looksMinted)
    }

    @Test func `a wrong character after the prefix of a generated key is detected`() throws {
        for key in keys {
            let text = Array(key.text)
            for index in 5..<text.count where text[index] != "-" {
                for other in Self.alphabet where other != text[index] {
                    var changed = text
                    changed[index] = other
                    #expect(try !#require(LicenseKeyText(String(changed))).looksMinted)
                }
            }
        }
    }

    @Test func `an exchange of two different characters after the prefix of a generated key is detected`() throws {
        for key in keys {
            let text = Array(key.text)
            let places = (5..<text.count).filter { text[$0] != "-" }
            for one in places {
                for other in places where other > one && text[one] != text[other] {
                    var changed = text
                    changed.swapAt(one, other)
                    #expect(try !#require(LicenseKeyText(String(changed))).looksMinted)
                }
            }
        }
    }

    @Test(arguments: [
        "NOTE-0000-0000-0000", "NOTE-0000-0000-0000-0000-0000", "NOTE-0000-0000-0000-000", "NOTE0000-0000-0000-0000",
        "N-0000-0000-0000-0000",
        "ABCDEFGHI-0000-0000-0000-0000", "-0000-0000-0000-0000", "NOTE-0000-0000-00000-000", "NOTE-0000-0000-0000-000U",
        "NÖTE-0000-0000-0000-0000", "NOTE_0000_0000_0000_0000", "0", "NOTE-0000-0000-0000-000é",
    ])
    func `look-alike characters aren't replaced in a key that doesn't have a generated key's format`(text: String)
        throws
    {
        let key = try #require(LicenseKeyText(text))
        #expect(!key.looksMinted)
        #expect(key.withoutLookAlikes == nil)
    }

    @Test func `look-alike characters in a license key are replaced only after its prefix`() throws {
        let typed = try #require(LicenseKeyText("oil-oOiI-lL01-2345-6789"))
        let mapped = try #require(typed.withoutLookAlikes)
        #expect(mapped.text == "OIL-0011-1101-2345-6789")
        #expect(!typed.looksMinted)
        #expect(mapped.withoutLookAlikes == nil)
    }

    @Test func `a generated key typed with look-alike characters is read as that key`() throws {
        var mapped = 0
        for key in keys {
            let typed = key.text.dropFirst(5).map { $0 == "0" ? "o" : $0 == "1" ? "l" : $0 }
            let found = try #require(LicenseKeyText("note-" + String(typed)))
            if found != key {
                #expect(found.withoutLookAlikes == key)
                mapped += 1
            }
        }
        #expect(mapped > 5)
    }
}
