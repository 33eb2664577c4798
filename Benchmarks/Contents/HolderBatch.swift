import TenureContent
import TenureContentServer
import TenureCore
import TenureCrypto
import TenureFormats
import TenureServerKit
import TenureStore
import TenureTesting

/// Holders with all their content licenses, written in one commit.
///
/// Numbers are consecutive. Holder n is named `h` and six digits of n, and has enrolment n + 1. Its licenses are
/// numbered consecutively, so a simple loop finds them without a query. Its device is the one of Kollus's player `p`
/// with the same digits.
struct HolderBatch {
    /// The approximate number of signed bytes of a grant.
    static let grantLength = 930

    private let offer: Offer
    private let now: Timestamp
    private(set) var saves: [RowWrite] = []
    private(set) var lines = ""

    init(_ offer: Offer, at now: Timestamp) {
        self.offer = offer
        self.now = now
    }

    /// Enrols a holder and issues all licenses, as after a first request.
    mutating func add(_ number: Int) {
        let digits = String(repeating: "0", count: max(0, 6 - String(number).count)) + String(number)
        let holder = "h\(digits)"
        let device = Digest.sha256(of: "tenure-content-kollus-v1|\(offer.tenant)|p\(digits)")
        guard let id = EnrolmentID(number: Int64(number) + 1) else { return }
        let enrolment = Enrolment(
            id: id, tenant: offer.tenant, holder: holder, scope: .course(offer.course), madeAt: now)
        saves.append(.insert(enrolment))
        saves.append(.insert(Enrolment.Device(enrolment: id, device: device)))
        saves.append(.insert(ContentDevice(tenant: offer.tenant, holder: holder, device: device, name: "Tablet")))
        let token = "tenure_ht_" + Base64.encodeURL(SecureRandom.bytes(32))
        saves.append(
            .insert(
                HolderCredential(
                    hash: .sha256(of: token), tenant: offer.tenant, holder: holder, kind: .token, device: device,
                    createdAt: now, expiresAt: now.adding(days: 3_650))))
        let terms = ContentTerms(under: offer.policy, until: nil, at: now)
        let first = Int64(number) * Int64(offer.contents.count) + 1
        var names: [String] = []
        for (index, content) in offer.contents.enumerated() {
            guard let license = ContentLicenseID(number: first + Int64(index)) else { continue }
            let grant = ContentGrant(
                tenant: offer.tenant, license: license, enrolment: id, content: content, device: device,
                request: "seed-000001", version: 1, issuedAt: now, terms: terms, settled: 0)
            saves.append(
                .insert(
                    ContentLicense(
                        id: license, holder: holder, enrolment: id, present: grant, countsFrom: 1, lastSeenAt: now)))
            names.append("\"\(license)\"")
        }
        lines += "{\"holder\":\"\(holder)\",\"player\":\"p\(digits)\",\"token\":\"\(token)\","
        lines += "\"licenses\":[\(names.joined(separator: ","))]}\n"
    }
}
