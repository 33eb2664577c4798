import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import Testing

@testable import TenureMarketplaceServer

@Suite struct `Install tokens` {
    private static let token = InstallToken(
        issuer: AppleItemID(text: "6497405838")!, bundleID: "com.epicgames.FortniteGame",
        item: AppleItemID(text: "6483539426")!, version: AppleVersionID(text: "868272229")!, download: .again,
        nonce: "9BC2C5CC-A1F8-4F93-9D6A-4D524685B67E", issuedAt: Timestamp(seconds: 1_790_000_000))

    /// The digest and the signature are those of an example token that an independent library signed.
    @Test func `the signing input of an install token has the bytes that an independent library signed`() throws {
        let input = Self.token.signingInput(kid: "52c5cb04-1163-4a30-ad4f-a3433cd6a4f6")
        #expect(
            Hex.encode(SHA256.hash(input.bytes)) == "53958b477de1f42c5cdda42a534824d955b42d3251e43f0689eda6e6372ce851")
        let signature = try #require(
            Base64.decodeURL("LfaGgR817MHbW8aRAeUlQffilO60mggIh_tC9aXiyy3RURPXyiRulQ6RajRJNcATQOrbl-SWAIv_ALfIqIg6Vw"))
        let point =
            try #require(Hex.decode("ac6ab054fb1359421d32c777fb752ecd213b8348e3f59a102523d904fd91ca50"))
            + #require(Hex.decode("e27fd28cfbaa8c89b031027abd9579a191a08c9949ea36166cecfdc4afe22126"))
        // The SubjectPublicKeyInfo of a P-256 key, up to the point.
        let head = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d03010703420004"))
        let key = try P256.PublicKey(der: head + point)
        #expect(key.isValidSignature(signature, for: input.bytes))
    }

    @Test func `an install token is valid for ten minutes`() {
        #expect(Self.token.issuedAt.seconds(until: Self.token.expiresAt) == 600)
    }
}

@Suite struct `Systems that a package supports` {
    @Test(arguments: [("17", "17.0", false), ("17.4", "17.10", true), ("17.4.1", "17.4", false), ("9", "18", true)])
    func `system versions are compared number by number`(one: String, other: String, isLess: Bool) throws {
        let (one, other) = (try #require(SystemVersion(one)), try #require(SystemVersion(other)))
        #expect((one < other) == isLess)
    }

    @Test(arguments: ["", "17.", ".4", "17.4.1.2.3", "17,4", "v17", "1234567890", "17.-1"])
    func `a malformed system version is refused`(text: String) { #expect(SystemVersion(text) == nil) }
}
