import TenureCrypto
import TenureFormats
import Testing

@testable import TenureCore
@testable import TenureLicensing

@Suite struct KeylightLeaseTests {
    let key: Ed25519.PrivateKey
    let now = Timestamp(seconds: 1_700_000_000)

    init() throws {
        key = try Ed25519.PrivateKey(seed: Array(1...32))
    }

    func claims(
        hash: String = String(repeating: "a", count: 64), instance: String = "i1",
        status: LeaseTerms.Status = .active, entitlements: [String] = ["pro"]
    ) -> KeylightLease.Claims {
        KeylightLease.Claims(
            licenseKeyHash: hash, instanceID: instance, issuedAt: now, expiresAt: now.adding(days: 7), status: status,
            entitlements: entitlements)
    }

    @Test func `a lease's signed text has the specified format, with sorted entitlements`() throws {
        let hash = String(repeating: "a", count: 64)
        let input = try claims(entitlements: ["pro", "Zeta", "alpha", "é", "pro-2"]).signingInput(kid: "k1")
        #expect(
            String(decoding: input, as: UTF8.self)
                == "v3|k1|\(hash)|i1|1700000000|1700604800|active|Zeta,alpha,pro,pro-2,é")
        let none = try claims(instance: "", status: .expired, entitlements: []).signingInput(kid: "k1")
        #expect(String(decoding: none, as: UTF8.self) == "v3|k1|\(hash)||1700000000|1700604800|expired|")
    }

    @Test func `a signed lease verifies after a round trip through JSON`() throws {
        for status in LeaseTerms.Status.allCases {
            let lease = try KeylightLease.signed(
                claims(status: status, entitlements: ["b", "a"]), kid: "k1", with: key)
            let read = try KeylightLease.Unverified(json: lease.json())
            let verification = read.verify(trusting: ["k1": key.publicKey], now: now)
            #expect(verification.kidKnown && verification.signatureValid && !verification.expired)
            #expect(verification.lease == lease)
        }
    }

    @Test func `a lease's JSON has exactly the members of Keylight's format`() throws {
        let lease = try KeylightLease.signed(claims(), kid: "k1", with: key)
        let object = try FlatObject(scanning: lease.json())
        #expect(
            object.names == [
                "kid", "licenseKeyHash", "instanceId", "issuedAt", "expiresAt", "status", "signature", "entitlements",
            ])
        #expect(object.integer("expiresAt") == .value(1_700_604_800))
    }

    @Test(arguments: [-1_000_000, 0, 604_800, 605_100] as [Int64])
    func `a lease is valid until 300 seconds after its end`(offset: Int64) throws {
        #expect(try !KeylightLease.signed(claims(), kid: "k1", with: key).isExpired(at: now.adding(seconds: offset)))
    }

    @Test(arguments: [605_101, 1_000_000, Int64.max])
    func `a lease is expired from 301 seconds after its end`(offset: Int64) throws {
        #expect(try KeylightLease.signed(claims(), kid: "k1", with: key).isExpired(at: now.adding(seconds: offset)))
    }

    @Test(arguments: ["a|b", "a,b", "|", ","])
    func `a lease with a separator in any field isn't signed`(field: String) {
        let refused = [
            (claims(hash: field), "k1"), (claims(instance: field), "k1"), (claims(entitlements: ["pro", field]), "k1"),
            (claims(), field),
        ]
        for (claims, kid) in refused {
            let error = #expect(throws: FormatError.self) { try KeylightLease.signed(claims, kid: kid, with: key) }
            #expect(error?.code == .separator)
        }
    }

    @Test func `an empty entitlement, which would read as no entitlement, is refused`() {
        let error = #expect(throws: FormatError.self) {
            try KeylightLease.signed(claims(entitlements: [""]), kid: "k1", with: key)
        }
        #expect(error?.code == .badMember)
    }

    @Test
    func `a Keylight lease contains its terms' end and entitlements, the license key's digest and the activation's id`()
        throws
    {
        let terms = LeaseTerms(
            status: .active, issuedAt: now, expiresAt: now.adding(days: 7),
            entitlements: ["b", "a"].compactMap { Entitlement($0) })
        let digest = try #require(Digest(Array(0..<32)))
        let activation = ActivationID(high: 0x1234_4000, low: 0x8000_0000_0000_0001)
        let claims = KeylightLease.Claims(terms, key: digest, activation: activation)
        #expect(claims.licenseKeyHash == Hex.encode(digest.bytes))
        #expect(claims.instanceID == activation.description)
        #expect(claims.entitlements == terms.entitlements.map(\.name))
        #expect(claims.expiresAt == terms.expiresAt)
        #expect(KeylightLease.Claims(terms, key: digest, activation: nil).instanceID == "")
    }
}
