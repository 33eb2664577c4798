import TenureCore
import Testing

@testable import TenureLicensing

@Suite struct DerivedKeyTests {
    static let root = Array(UInt8(0)..<32)

    /// The keys were computed with the HMAC of Python's standard library.
    @Test(arguments: [
        ("NOTE", "lic_0000000000005", 1, "NOTE-7NAR-VWPQ-B207-D4K1"),
        ("NOTE", "lic_0000000000005", 2, "NOTE-R2QE-A9H7-75ZR-H2JK"),
        ("ACME1", "lic_7zzzzzzzzzzzz", 1_795_967_999, "ACME1-YDKN-5XZ5-5571-5JCG"),
    ])
    func `a license key is derived with HKDF from the root, the license and the generation`(
        prefix: String, license: String, generation: Int, expected: String
    ) throws {
        let key = try LicenseKeyText.derive(
            from: Self.root, prefix: #require(LicenseKeyPrefix(prefix)), license: #require(LicenseID(text: license)),
            generation: generation)
        #expect(key.text == expected && key.looksMinted)
    }

    @Test func `another root, license or generation gives another derived license key`() throws {
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        var keys: Set<String> = []
        for root in [Self.root, Self.root.reversed()] {
            for number in Int64(1)...20 {
                for generation in 1...5 {
                    let license = try #require(LicenseID(number: number))
                    keys.insert(
                        try LicenseKeyText.derive(
                            from: root, prefix: prefix, license: license, generation: generation
                        ).text)
                }
            }
        }
        #expect(keys.count == 200)
    }

    @Test func `a license key is stored with the prefix that its product has, or without one`() throws {
        let prefix = try #require(LicenseKeyPrefix("NOTE"))
        let key = try #require(LicenseKeyText("NOTE-ABCD-EFGH-JKMN-0001"))
        #expect(key.stored(under: prefix).prefix == prefix)
        #expect(key.stored(under: nil).prefix == nil)
    }
}
