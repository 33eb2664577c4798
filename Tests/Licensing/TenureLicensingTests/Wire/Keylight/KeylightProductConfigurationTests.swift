import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import Testing

@Suite struct KeylightProductConfigurationTests {
    struct Golden: Decodable {
        let seed, publicKey, kid, tenant, product, signingInput, signature: String
        let issuedAt, expiresAt, trialDurationDays: Int64
        let freeTierEnabled: Bool
    }

    let golden: Golden
    let key: Ed25519.PrivateKey
    let product: ProductRef
    let claims: KeylightProductConfiguration.Claims

    init() throws {
        golden = try Vectors.read("keylight-config-v1", as: Golden.self)
        key = try Ed25519.PrivateKey(seed: #require(Hex.decode(golden.seed)))
        product = ProductRef(
            tenant: try #require(TenantID(golden.tenant)), product: try #require(ProductID(golden.product)))
        claims = KeylightProductConfiguration.Claims(
            product: product, trialDurationDays: golden.trialDurationDays, freeTierEnabled: golden.freeTierEnabled,
            issuedAt: Timestamp(seconds: golden.issuedAt), expiresAt: Timestamp(seconds: golden.expiresAt))
    }

    func answer(_ configuration: KeylightProductConfiguration) throws -> KeylightProductConfiguration.Unverified {
        try KeylightProductConfiguration.Unverified(
            FlatObject(
                scanning: JSONWriter.object {
                    $0.member("valid", true)
                    configuration.write(into: &$0)
                }))
    }

    @Test func `Keylight's published product configuration is reproduced byte for byte`() throws {
        #expect(Base64.encode(key.publicKey.bytes) == golden.publicKey)
        #expect(golden.publicKey == "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ=")
        #expect(try claims.signingInput(kid: "k1") == Array(golden.signingInput.utf8))
        #expect(golden.signingInput == "cfg1|k1|tenant1|product1|1700000000|1700086400|14|false")
        let configuration = try KeylightProductConfiguration.signed(claims, kid: "k1", with: key)
        #expect(Base64.encode(configuration.signature) == golden.signature)
        #expect(golden.signature.hasPrefix("B5/chgdhpY9W") && golden.signature.hasSuffix("aq7uAw=="))
    }

    @Test func `a signed configuration is trusted while it's valid and up to 300 seconds before and after`() throws {
        let configuration = try KeylightProductConfiguration.signed(claims, kid: "k1", with: key)
        let read = try answer(configuration)
        let trusted = ["k1": key.publicKey]
        for (time, inside) in [
            (1_699_999_699, false), (1_699_999_700, true), (1_700_000_000, true), (1_700_086_400, true),
            (1_700_086_700, true), (1_700_086_701, false),
        ] as [(Int64, Bool)] {
            let found = read.verify(for: product, trusting: trusted, now: Timestamp(seconds: time))
            #expect(found == (inside ? .trusted(configuration) : .outsideWindow), "\(time)")
        }
    }

    @Test func `a configuration that is for another product or tenant, or has an unknown or wrong key, isn't trusted`()
        throws
    {
        let read = try answer(.signed(claims, kid: "k1", with: key))
        let now = claims.issuedAt
        let otherProduct = ProductRef(tenant: product.tenant, product: try #require(ProductID("product2")))
        let otherTenant = ProductRef(tenant: try #require(TenantID("tenant2")), product: product.product)
        for other in [otherProduct, otherTenant] {
            #expect(read.verify(for: other, trusting: ["k1": key.publicKey], now: now) == .badSignature)
        }
        let stranger = Ed25519.PrivateKey.generate().publicKey
        #expect(read.verify(for: product, trusting: ["k1": stranger], now: now) == .badSignature)
        #expect(read.verify(for: product, trusting: ["k2": key.publicKey], now: now) == .unknownKid)
    }

    @Test func `a configuration without one of its signed members is reported as unsigned`() throws {
        let members = [
            "\"trial_duration_days\":14", "\"free_tier_enabled\":false", "\"issued_at\":1700000000",
            "\"expires_at\":1700086400", "\"kid\":\"k1\"", "\"signature\":\"\(golden.signature)\"",
        ]
        func verified(_ members: [String]) throws -> KeylightProductConfiguration.Unverified.Verification {
            let object = try FlatObject(scanning: Array("{\(members.joined(separator: ","))}".utf8))
            return try KeylightProductConfiguration.Unverified(object)
                .verify(for: product, trusting: ["k1": key.publicKey], now: claims.issuedAt)
        }
        guard case .trusted = try verified(members) else { Issue.record("the whole set is not trusted"); return }
        for index in members.indices {
            var part = members
            part.remove(at: index)
            #expect(try verified(part) == .unsigned)
            part = members
            part[index] = part[index].split(separator: ":")[0] + ":null"
            #expect(try verified(part) == .unsigned)
        }
    }

    @Test func `a missing trial length in a product configuration isn't read as zero days`() throws {
        func days(_ text: String) throws -> Int64? {
            try KeylightProductConfiguration.Unverified(FlatObject(scanning: Array(text.utf8))).trialDurationDays
        }
        #expect(try days("{}") == nil)
        #expect(try days(#"{"trial_duration_days":null}"#) == nil)
        #expect(try days(#"{"trial_duration_days":0}"#) == 0)
        #expect(throws: FormatError.self) { try days(#"{"trial_duration_days":"14"}"#) }
    }

    @Test(arguments: ["", "a|b", "a,b"])
    func `a configuration isn't signed with a key id that is empty or contains a separator`(kid: String) {
        #expect(throws: FormatError.self) { try KeylightProductConfiguration.signed(claims, kid: kid, with: key) }
    }
}
