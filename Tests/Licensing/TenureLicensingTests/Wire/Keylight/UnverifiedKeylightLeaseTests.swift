import TenureCore
import TenureCrypto
import TenureFormats
import TenureLicensing
import Testing

@Suite struct UnverifiedKeylightLeaseTests {
    @Test func `Keylight's published leases verify with the published results`() throws {
        let file = try FlatObject(scanning: Vectors.bytes("keylight-lease-v3"))
        let vectors = try #require(file.objects("vectors").value)
        #expect(vectors.count == 8)
        for vector in vectors {
            let name = vector.string("name").value ?? "?"
            let lease = try KeylightLease.Unverified(#require(vector.object("lease").value))
            let trusted = try #require(vector.object("trustedKeys").value)
            var keys: [String: Ed25519.PublicKey] = [:]
            for kid in trusted.names {
                let bytes = try #require(Base64.decodeLenient(trusted.string(kid).value ?? ""))
                keys[kid] = try Ed25519.PublicKey(bytes: bytes)
            }
            let now = Timestamp(seconds: try #require(vector.integer("now").value))
            let expected = try #require(vector.object("expect").value)
            let verification = lease.verify(trusting: keys, now: now)
            #expect(.value(verification.kidKnown) == expected.boolean("kidKnown"), "\(name)")
            #expect(.value(verification.signatureValid) == expected.boolean("signatureValid"), "\(name)")
            #expect(.value(verification.expired) == expected.boolean("expired"), "\(name)")
            #expect((verification.lease != nil) == (verification.kidKnown && verification.signatureValid), "\(name)")
        }
    }

    static let good: [(String, String)] = [
        ("kid", "\"k1\""), ("licenseKeyHash", "\"aa\""), ("instanceId", "\"i1\""), ("issuedAt", "1"),
        ("expiresAt", "2"),
        ("status", "\"active\""), ("signature", "\"AAAA\""), ("entitlements", "[\"pro\"]"),
    ]

    func text(_ members: [(String, String)]) -> [UInt8] {
        Array("{\(members.map { "\"\($0)\":\($1)" }.joined(separator: ","))}".utf8)
    }

    @Test func `a lease without one of its members is refused`() throws {
        _ = try KeylightLease.Unverified(json: text(Self.good))
        for index in Self.good.indices {
            var members = Self.good
            members.remove(at: index)
            expect(.badMember, members)
            for wrong in ["null", "true", "{}"] {
                members = Self.good
                members[index].1 = wrong
                expect(.badMember, members)
            }
        }
    }

    @Test(arguments: [
        ("status", "\"Active\""), ("status", "\"\""), ("signature", "\"!\""), ("issuedAt", "1.0"),
        ("issuedAt", "\"1\""),
        ("entitlements", "[1]"), ("entitlements", "[\"\"]"), ("expiresAt", "9223372036854775808"),
    ])
    func `a lease with a member of the wrong type or with an invalid value is refused`(name: String, value: String) {
        expect(.badMember, Self.good.map { $0.0 == name ? (name, value) : $0 })
    }

    @Test(arguments: [
        ("entitlements", "[\"a,b\"]"), ("kid", "\"k|1\""), ("instanceId", "\"a|b\""), ("licenseKeyHash", "\"a,\""),
    ])
    func `a lease with a separator in a field is refused`(name: String, value: String) {
        expect(.separator, Self.good.map { $0.0 == name ? (name, value) : $0 })
    }

    @Test(arguments: ["", "[]", "{", "{\"kid\":\"k1\",\"kid\":\"k2\"}"])
    func `a lease that isn't a JSON object with unique members is refused`(text: String) {
        let error = #expect(throws: FormatError.self) { try KeylightLease.Unverified(json: Array(text.utf8)) }
        #expect(error?.code == .malformed)
        #expect(error?.cause != nil)
    }

    @Test func `a change of any signed field of a lease invalidates its signature`() throws {
        let key = try Ed25519.PrivateKey(seed: Array(1...32))
        let claims = KeylightLease.Claims(
            licenseKeyHash: "aa", instanceID: "i1", issuedAt: Timestamp(seconds: 1), expiresAt: Timestamp(seconds: 2),
            status: .active, entitlements: ["pro"])
        let signature = Base64.encode(try KeylightLease.signed(claims, kid: "k1", with: key).signature)
        let signed = Self.good.map { $0.0 == "signature" ? ("signature", "\"\(signature)\"") : $0 }
        let keys = ["k1": key.publicKey, "k2": key.publicKey]
        let now = Timestamp(seconds: 1)
        #expect(
            try KeylightLease.Unverified(json: text(signed)).verify(trusting: keys, now: now).lease?.claims == claims)
        let changes = [
            ("kid", "\"k2\""), ("licenseKeyHash", "\"ab\""), ("instanceId", "\"i2\""), ("issuedAt", "0"),
            ("expiresAt", "3"),
            ("status", "\"fallback\""), ("entitlements", "[]"), ("entitlements", "[\"pro\",\"pro\"]"),
            ("signature", "\"AAAA\""),
            ("signature", "\"\""),
        ]
        for (name, value) in changes {
            let changed = text(signed.map { $0.0 == name ? (name, value) : $0 })
            let verification = try KeylightLease.Unverified(json: changed).verify(trusting: keys, now: now)
            #expect(verification.kidKnown && !verification.signatureValid && verification.lease == nil, "\(name)")
        }
    }

    private func expect(_ code: FormatError.Code, _ members: [(String, String)]) {
        let error = #expect(throws: FormatError.self) { try KeylightLease.Unverified(json: text(members)) }
        #expect(error?.code == code)
    }
}
