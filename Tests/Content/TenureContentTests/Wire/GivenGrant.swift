import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats

/// The grant of the published vector. Its signing key is that of RFC 8032's first test.
enum GivenGrant {
    static let now = Timestamp(seconds: 1_795_251_600)
    static let tenant = TenantID("acme")!
    static let device = Digest([UInt8](repeating: 0, count: 32))!

    static let key: Ed25519.PrivateKey = {
        let seed = Hex.decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60") ?? []
        guard let key = try? Ed25519.PrivateKey(seed: seed) else { preconditionFailure("a seed has 32 bytes") }
        return key
    }()
    static let trusted = TrustedKeys(pinned: ["k1": key.publicKey])

    static let terms: ContentTerms = {
        var terms = ContentTerms()
        terms.expiresAt = now.adding(days: 30)
        terms.plays = 3
        terms.playSeconds = 7_200
        terms.renewFrom = now.adding(days: 27)
        return terms
    }()

    static func grant(_ change: (inout ContentTerms) -> Void = { _ in }) -> ContentGrant {
        var terms = terms
        change(&terms)
        return ContentGrant(
            tenant: tenant, license: ContentLicenseID(text: "clc_1tbhf3yxd7z42")!,
            enrolment: EnrolmentID(text: "enr_63zefwwzyf616")!, content: ContentID("mck-1")!, device: device,
            request: "r-0001", version: 2, issuedAt: now, terms: terms, settled: 17)
    }

    static let payload =
        #"{"v":1,"tenant":"acme","license":"clc_1tbhf3yxd7z42","enrolment":"enr_63zefwwzyf616","content":"mck-1","#
        + #""device":"0000000000000000000000000000000000000000000000000000000000000000","requestId":"r-0001","#
        + #""version":2,"issuedAt":1795251600,"notBefore":null,"expiresAt":1797843600,"windowAfterFirstPlay":null,"#
        + #""plays":3,"playSeconds":7200,"playTimeBasis":"media","countAfterSeconds":0,"resumeWithinSeconds":600,"#
        + #""checkInBy":null,"onlineRequired":false,"askBeforeRenew":false,"renewFrom":1797584400,"renewUntil":null,"#
        + #""graceSeconds":0,"whenOver":"finish","ledger":"reset","settled":17}"#

    /// Returns a signed document with exactly this payload.
    static func signed(_ payload: String, type: String = "tenure-grant+jwt", kid: String = "k1") -> [UInt8] {
        let input = JWSSigningInput(algorithm: .edDSA, type: type, payload: Array(payload.utf8)) {
            $0.member("kid", kid)
        }
        return input.compact(signature: key.sign(input.bytes))
    }

    static let request = ContentRequest(
        tenant: tenant, holder: "learner-1", device: device, content: ContentID("mck-1")!, request: "r-0002",
        newID: ContentLicenseID(number: 9)!)
}
