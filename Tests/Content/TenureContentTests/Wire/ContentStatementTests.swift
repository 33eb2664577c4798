import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import Testing

/// Grants, refusals and signed times: their exact bytes, and which other bytes are accepted.
@Suite struct ContentStatementTests {
    @Test func `a content grant has the bytes and the signature of the test vector`() throws {
        let compact = GivenGrant.grant().signed(kid: "k1", with: GivenGrant.key)
        let parts = String(decoding: compact, as: UTF8.self).split(separator: ".").map(String.init)
        #expect(Base64.decodeURL(parts[0]) == Array(#"{"alg":"EdDSA","typ":"tenure-grant+jwt","kid":"k1"}"#.utf8))
        #expect(Base64.decodeURL(parts[1]) == Array(GivenGrant.payload.utf8))
        #expect(parts[2] == "jRhP1L8-O9PFpWyOec9i7fEzvQmiX6Gfe59noHaRrxMbdErgJ1s9W8a7KEPSY0YgSatOIM_ZYxXwXOZvcANaAw")
        let unverified = try UnverifiedContentGrant(compact: compact)
        #expect(unverified.compact == compact)
        #expect(
            try unverified.verify(of: GivenGrant.tenant, trusting: GivenGrant.trusted) == GivenGrant.grant())
    }

    @Test func `every member of a grant is read back`() throws {
        let grant = GivenGrant.grant {
            $0.notBefore = Timestamp(seconds: -5)
            $0.expiresAt = nil
            $0.windowAfterFirstPlay = 172_800
            $0.plays = 0
            $0.playSeconds = nil
            $0.playTimeBasis = .wall
            $0.countAfterSeconds = 30
            $0.resumeWithinSeconds = 0
            $0.checkInBy = GivenGrant.now
            $0.onlineRequired = true
            $0.askBeforeRenew = true
            $0.renewFrom = nil
            $0.renewUntil = GivenGrant.now
            $0.graceSeconds = 3_600
            $0.whenOver = .grace
            $0.ledger = .carry
        }
        let unverified = try UnverifiedContentGrant(compact: grant.signed(kid: "k1", with: GivenGrant.key))
        #expect(try unverified.verify(of: GivenGrant.tenant, trusting: GivenGrant.trusted) == grant)
    }

    private func code(_ compact: [UInt8], _ tenant: TenantID = GivenGrant.tenant) -> FormatError.Code? {
        do throws(FormatError) {
            _ = try UnverifiedContentGrant(compact: compact).verify(of: tenant, trusting: GivenGrant.trusted)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [
        (#""v":1"#, #""v":2"#), (#""tenant":"acme","#, ""), ("clc_1tbhf3yxd7z42", "enr_1tbhf3yxd7z42"),
        ("enr_63z", "enr_63u"), (#""mck-1""#, #""mck 1""#), (#"000000","requestId""#, #"00000g","requestId""#),
        (#""version":2"#, #""version":0"#), (#""version":2"#, #""version":"2""#),
        (#""version":2"#, #""version":9223372036854775808"#), (#""version":2"#, #""version":2e0"#),
        (#""plays":3"#, #""plays":-1"#), (#""plays":3,"#, ""), (#""playSeconds":7200"#, #""playSeconds":2147483649"#),
        (#""expiresAt":1797843600"#, #""expiresAt":"2026""#), (#""expiresAt":1797843600,"#, ""),
        (#""playTimeBasis":"media""#, #""playTimeBasis":"both""#), (#""onlineRequired":false"#, #""onlineRequired":0"#),
        (#""whenOver":"finish""#, #""whenOver":null"#), (#""ledger":"reset""#, #""ledger":"""#),
        (#""settled":17"#, #""settled":-1"#), (#""graceSeconds":0"#, #""graceSeconds":null"#),
    ]) func `a signed content grant with a missing or invalid member is refused`(member: String, other: String) {
        let changed = GivenGrant.payload.replacing(member, with: other)
        #expect(changed != GivenGrant.payload)
        #expect(code(GivenGrant.signed(changed)) == .badMember)
    }

    @Test func `a content grant that is changed, truncated, or signed for another tenant or type is refused`() {
        let good = GivenGrant.signed(GivenGrant.payload)
        #expect(code(good) == nil)
        #expect(code(good, TenantID("other")!) == .otherProduct)
        #expect(code(GivenGrant.signed(GivenGrant.payload, kid: "k2")) == .unknownKey)
        #expect(code(GivenGrant.signed(GivenGrant.payload, type: ContentRefusal.type)) == .badSignature)
        #expect(code(GivenGrant.signed("[]")) == .malformed)
        #expect(code(GivenGrant.signed(GivenGrant.payload + "}")) == .malformed)
        #expect(code([UInt8](repeating: 0x61, count: 1 << 17)) == .malformed)
        for index in stride(from: 0, to: good.count, by: 7) {
            #expect(code(Array(good[..<index])) != nil)
            var changed = good
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(code(changed) != nil)
        }
        // A newer server may add members.
        let more = GivenGrant.payload.dropLast() + #","next":1}"#
        #expect(code(GivenGrant.signed(String(more))) == nil)
    }

    @Test func `a signed content refusal contains the device's action and the reasons`() throws {
        let answer = ContentAnswer(outcome: .refused, license: nil, reasons: [Reason(.contentLicenseRevoked)])
        let refusal = try #require(ContentRefusal(answer, to: GivenGrant.request, at: GivenGrant.now))
        #expect(ContentRefusal(answer, to: "r", at: GivenGrant.now) == nil)
        let yes = ContentAnswer(outcome: .unchanged, license: nil)
        #expect(ContentRefusal(yes, to: GivenGrant.request, at: GivenGrant.now) == nil)
        let compact = refusal.signed(kid: "k1", with: GivenGrant.key)
        let payload = String(decoding: compact, as: UTF8.self).split(separator: ".").map(String.init)[1]
        #expect(
            String(decoding: Base64.decodeURL(payload) ?? [], as: UTF8.self)
                == #"{"v":1,"tenant":"acme","license":null,"content":"mck-1","device":"\#(Hex.encode(GivenGrant.device.bytes))","#
                + #""requestId":"r-0002","version":0,"issuedAt":1795251600,"act":"none","reasons":[{"code":"#
                + #""content_license_revoked","message":"The license for this content has been revoked.","cure":"#
                + #""Ask the vendor why. A revoked license can't be restored, but a new enrolment is possible.","changesAt":null}]}"#
        )
        let read = try UnverifiedContentRefusal(compact: compact).verify(
            of: GivenGrant.tenant, trusting: GivenGrant.trusted)
        #expect(read == refusal)
        #expect(read.reasons.map(\.code) == [Reason.Kind.contentLicenseRevoked])
    }

    @Test func `a response for a stopped license tells the device to lock or delete the content`() throws {
        for (state, act) in [
            (ContentLicense.State.deleted, ContentAnswer.Act.delete), (.expired, .lock), (.revoked, .lock),
        ] {
            let license = ContentLicense(
                id: GivenGrant.grant().license, holder: "h", enrolment: GivenGrant.grant().enrolment,
                present: GivenGrant.grant(), state: state, countsFrom: 1, lastSeenAt: GivenGrant.now)
            let answer = license.renew(
                ContentRenewal(version: 2, isAlways: true, request: "r"), offers: [], at: GivenGrant.now)
            let refusal = try #require(ContentRefusal(answer, to: "r", at: GivenGrant.now))
            let read = try UnverifiedContentRefusal(compact: refusal.signed(kid: "k1", with: GivenGrant.key)).verify(
                of: GivenGrant.tenant, trusting: GivenGrant.trusted)
            #expect(read.act == act && read.license == license.id && read.version == 2)
        }
    }

    @Test(arguments: [
        ("0123456789abcdef", true), ("ABCDEFGHIJ-_klmn", true), ("0123456789abcde", false),
        (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
        ("0123456789abcde+", false), ("0123456789abcde=", false),
    ])
    func `a signed server time is created only for a well-formed nonce, and contains that nonce when read`(
        nonce: String, isGood: Bool
    ) throws {
        let time = ContentTime(tenant: GivenGrant.tenant, nonce: nonce, at: GivenGrant.now)
        #expect((time != nil) == isGood)
        guard let time else { return }
        let compact = time.signed(kid: "k1", with: GivenGrant.key)
        let read = try UnverifiedContentTime(compact: compact).verify(
            of: GivenGrant.tenant, trusting: GivenGrant.trusted)
        #expect(read == time && read.nonce == nonce && read.issuedAt == GivenGrant.now)
        #expect(
            String(decoding: compact, as: UTF8.self).split(separator: ".").first.flatMap {
                Base64.decodeURL(String($0))
            }
                == Array(#"{"alg":"EdDSA","typ":"tenure-time+jwt","kid":"k1"}"#.utf8))
    }
}
