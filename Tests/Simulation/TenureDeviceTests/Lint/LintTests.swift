import Foundation
import GoldenFiles
import TenureCrypto
import TenureFormats
import TenureMarketplace
import Testing

@testable import TenureDevice

/// Each fault is reported by exactly its own rule.
@Suite struct LintTests {
    private func ids(_ text: String, _ kind: LintKind) -> [String] {
        LintedFile.findings(in: Array(text.utf8), as: kind).map(\.rule.id)
    }

    @Test(arguments: [LintKind.configuration, .manifest, .oauth])
    func `the linter finds the kind, but no fault, in a correct configuration, manifest or OAuth metadata file`(
        _ kind: LintKind
    ) {
        #expect(ids(BrokenFiles.right(kind), kind) == [])
        #expect(LintKind(of: Array(BrokenFiles.right(kind).utf8), named: "file") == kind)
    }

    @Test(arguments: BrokenFiles.all) func `each fault of a linted file gives one finding, by the rule for that fault`(
        _ fault: BrokenFiles.Fault
    ) throws {
        let right = BrokenFiles.right(fault.kind)
        let range = try #require(right.range(of: fault.text))
        let broken = right.replacingCharacters(in: range, with: fault.by)
        #expect(ids(broken, fault.kind) == [fault.rule])
    }

    /// Each broken text is reported with line and column, whatever the file's name.
    @Test(arguments: BrokenFiles.all.filter { $0.rule.hasSuffix(".json") || $0.rule.hasSuffix(".duplicate_member") })
    func `the content of a broken JSON object determines the file's kind, whatever the file's name`(
        _ fault: BrokenFiles.Fault
    ) throws {
        let right = BrokenFiles.right(fault.kind)
        let range = try #require(right.range(of: fault.text))
        let broken = Array(right.replacingCharacters(in: range, with: fault.by).utf8)
        guard broken.first == UInt8(ascii: "{") else {
            return #expect(LintedFile.brokenJSON(in: broken)?.hasPrefix("Line ") == true)
        }
        for name in ["file", "notes.txt", "a/b.json"] {
            #expect(LintKind(of: broken, named: name) == fault.kind)
        }
        let message = LintedFile.findings(in: broken, as: fault.kind).map(\.message).joined()
        #expect(message.hasPrefix("Line "), "\(message)")
    }

    @Test(
        arguments: [
            (#"{"a": 1,, "b": 2}"#, "Line 1, column 9: "), ("[1,\n 2", "Line 2, column 3: "), (#"{"a": 1}"#, nil),
            ("plain text", nil), ("", nil),
        ] as [(String, String?)])
    func `the linter reports a JSON fault at its location even if the kind of file is unknown`(
        text: String, location: String?
    ) {
        let result = LintedFile.brokenJSON(in: Array(text.utf8))
        #expect(location.map { result?.hasPrefix($0) == true } ?? (result == nil), "\(result ?? "nothing")")
    }

    @Test func `a correct override of an app's URLs has no findings, and a fault in an override is a finding`() throws {
        let whole = BrokenFiles.configuration.replacing(
            "{\"restore\"",
            with: "{\"overridesByAppleItemID\": {\"6497405838\": \(BrokenFiles.configuration)}, \"restore\"",
            maxReplacements: 1)
        #expect(ids(whole, .configuration) == [])
        let broken = whole.replacing("https://api.example/renew", with: "http://api.example/renew", maxReplacements: 1)
        let found = LintedFile.findings(in: Array(broken.utf8), as: .configuration)
        #expect(found.map(\.rule.id) == ["config.https"])
        #expect(found.map(\.pointer) == ["/overridesByAppleItemID/6497405838/license/licenseRenewalURL"])
        let nested = whole.replacing(
            "6497405838\": {", with: "6497405838\": {\"overridesByAppleItemID\": {}, ", maxReplacements: 1)
        #expect(ids(nested, .configuration) == ["config.override_nested"])
    }

    @Test(arguments: ["", "\u{0}", "{", "[]", "null", String(repeating: "[", count: 5_000), "\u{FEFF}"])
    func `the linter has a finding for malformed bytes, whatever kind of file it checks them as`(text: String) {
        for kind in LintKind.allCases { #expect(!ids(text, kind).isEmpty) }
    }

    @Test(arguments: PackageManifest.Rule.allCases)
    func `every rule of the package manifest's reader has a lint rule`(rule: PackageManifest.Rule) {
        #expect(LintRule.all.contains { $0.id == "manifest.\(rule.rawValue)" && $0.severity == .error })
    }

    @Test func `every lint rule is declared once and documented`() throws {
        let ids = LintRule.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        let page = LintPage.text
        let file = URL.packageRoot.appending(path: "Documentation/lint.md")
        if ProcessInfo.processInfo.environment["TENURE_WRITE_COPIES"] != nil {
            try page.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == page)
    }
}

@Suite struct TokenLintTests {
    private static let header = #"{"alg":"ES256","kid":"13a556b4-38d8-43e1-b09e-1a8b419e4aac","typ":"JWT"}"#
    private static let claims = #"""
        {"iss":"6497405838","iat":1790000000,"exp":1790000600,"aud":"AppleDownloadVerification-v1",\#
        "bid":"com.example.game","dtype":"redownload","nonce":"9BC2C5CC-A1F8-4F93-9D6A-4D524685B67E",\#
        "iid":"6483539426","vid":"868272229"}
        """#

    private func ids(
        _ replaced: String = "", by text: String = "", at now: Int64? = nil,
        signature: (([UInt8]) -> [UInt8])? = nil
    ) throws -> [String] {
        let key = try P256.PrivateKey.generate()
        let created =
            replaced.isEmpty
            ? (Self.header, Self.claims)
            : (Self.header.replacing(replaced, with: text), Self.claims.replacing(replaced, with: text))
        let input = Base64.encodeURL(Array(created.0.utf8)) + "." + Base64.encodeURL(Array(created.1.utf8))
        let signed = try key.sign(Array(input.utf8))
        let token = input + "." + Base64.encodeURL(signature?(signed) ?? signed) + "\n"
        return LintedFile.findings(in: Array(token.utf8), as: .token, key: key.publicKey, at: now).map(\.rule.id)
    }

    @Test func `a correct install token has no findings, or only its unchecked signature if the key is missing`() throws
    {
        #expect(try ids() == [])
        let token =
            Base64.encodeURL(Array(Self.header.utf8)) + "." + Base64.encodeURL(Array(Self.claims.utf8)) + "."
            + Base64.encodeURL([UInt8](repeating: 1, count: 64))
        #expect(LintKind(of: Array(token.utf8), named: "x") == .token)
        #expect(LintedFile.findings(in: Array(token.utf8), as: .token).map(\.rule.id) == ["token.signature_unchecked"])
    }

    @Test(arguments: [
        ("ES256", "RS256", "token.alg"), (#","kid":"13a556b4-38d8-43e1-b09e-1a8b419e4aac""#, "", "token.kid"),
        (#""typ":"JWT""#, #""typ":"jwt""#, "token.typ"), (#""6497405838""#, "6497405838", "token.iss"),
        ("AppleDownloadVerification-v1", "appstoreconnect-v1", "token.aud"), (#""exp":1790000600,"#, "", "token.exp"),
        ("1790000600", "1790000000", "token.exp"), ("1790000600", "1790086401", "token.life_long"),
        ("1790000600", "1790003601", "token.life"), (#""bid":"com.example.game","#, "", "token.missing"),
        (#""nonce":"9BC2C5CC-A1F8-4F93-9D6A-4D524685B67E","#, "", "token.missing"),
        (#""iat":1790000000,"#, "", "token.missing"), ("redownload", "again", "token.dtype"),
        (#""868272229""#, "868272229", "token.missing"),
        ("9BC2C5CC-A1F8", "9BC2C5CCA1F8", "token.nonce"), ("9BC2C5CC-A1F8", "9BC2C5CG-A1F8", "token.nonce"),
        ("9BC2C5CC-A1F8-4F93-9D6A-4D524685B67E", "seven", "token.nonce"),
        ("4D524685B67E", "4D524685B67E-", "token.nonce"),
    ]) func `each fault of an install token gives one finding, by the rule for that fault`(
        text: String, by: String, rule: String
    )
        throws
    {
        #expect(try ids(text, by: by) == [rule])
    }

    /// The current time, and the findings for a token that expires at 1790000600.
    @Test(
        arguments: [
            (1_790_000_599, []), (1_790_000_600, ["token.expired"]), (Int64.max, ["token.expired"]), (0, []),
        ] as [(Int64, [String])])
    func `an install token is reported as expired from its end time`(now: Int64, rules: [String]) throws {
        #expect(try ids(at: now) == rules)
    }

    @Test func `a token's end before 1970 is reported without an overflow`() throws {
        #expect(try ids("1790000600", by: "-9223372036854775808", at: .max) == ["token.exp"])
        #expect(
            try ids(#""iat":1790000000,"exp":1790000600"#, by: #""exp":-9223372036854775808"#, at: .max).sorted() == [
                "token.expired", "token.missing",
            ])
    }

    @Test(arguments: ["9bc2c5cc-a1f8-4f93-9d6a-4d524685b67e", "9BC2C5CC-A1F8-1F93-0D6A-4D524685B67E"])
    func `the nonce of an install token may be a UUID in either letter case and of any version`(nonce: String) throws {
        #expect(try ids("9BC2C5CC-A1F8-4F93-9D6A-4D524685B67E", by: nonce) == [])
    }

    @Test func `a DER signature of an install token is reported as such, and any other wrong signature as invalid`()
        throws
    {
        #expect(
            try ids(signature: { [0x30, 0x44, 0x02, 0x20] + $0.prefix(32) + [0x02, 0x20] + $0.suffix(32) }) == [
                "token.der"
            ])
        #expect(try ids(signature: { $0.map { $0 ^ 1 } }) == ["token.signature"])
        #expect(try ids(signature: { [0x31, 0x3D] + $0.dropFirst(3) }) == ["token.signature"], "it is too short")
        #expect(try ids(signature: { [0x30, 0x3E] + $0.dropFirst(3) }) == ["token.signature"], "a wrong length")
        #expect(try ids(signature: { _ in [0x30] }) == ["token.signature"])
    }
}
