import TenureCore
import TenureLicensing
import TenureLicensingServer
import TenureServerKit

/// Ids and records for the contract's checks.
enum Sample {
    static let now = Timestamp(seconds: 1_790_000_000)
    static let acme = slug("acme", of: Tenant.self)
    static let bolt = slug("bolt", of: Tenant.self)
    static let notes = ProductRef(tenant: acme, product: slug("notes"))
    static let draw = ProductRef(tenant: acme, product: slug("draw"))
    static let boltNotes = ProductRef(tenant: bolt, product: slug("notes"))
    static let pro: PolicyID = slug("pro")
    static let team: PolicyID = slug("team")

    /// Two tenants and three products, each with the policies `pro` (three devices) and `team`.
    static let catalog: [Put] =
        [.tenant(id: acme, name: "Acme"), .tenant(id: bolt, name: "Bolt & Söhne")]
        + [notes, draw, boltNotes].flatMap { ref -> [Put] in
            [
                .product(Product(ref: ref, name: "Produkt \(ref)", keyPrefix: prefix("NOTE"))),
                .policy(Policy(id: pro, name: "Pro"), in: ref), .policy(Policy(id: team, name: "Team"), in: ref),
            ]
        }

    static func prefix(_ text: String) -> LicenseKeyPrefix {
        guard let prefix = LicenseKeyPrefix(text) else {
            preconditionFailure("a sample's key prefix has another shape")
        }
        return prefix
    }

    static func id(_ number: Int64) -> LicenseID {
        guard let id = LicenseID(number: number) else { preconditionFailure("a sample's id is negative") }
        return id
    }

    static func hash(_ number: Int) -> Digest {
        let bytes = (0..<32).map { index in UInt8(truncatingIfNeeded: index < 8 ? number >> (8 * index) : index) }
        guard let digest = Digest(bytes) else { preconditionFailure("a sample's digest is not 32 bytes") }
        return digest
    }

    static func activationID(_ number: Int) -> ActivationID {
        ActivationID(high: UInt64(number) << 32 | 0xFFFF_4000, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    static func license(
        _ number: Int, product: ProductRef = notes, policy: PolicyID = pro, key: Int? = nil, holder: String? = nil,
        end: Timestamp? = nil, state: LifecycleState = .issued, firstActivatedAt: Timestamp? = nil, isTest: Bool = false
    ) -> License {
        let key = key ?? number
        guard let term = Term(start: now.adding(days: -400), end: end) else {
            preconditionFailure("a sample's term ends before it starts")
        }
        return License(
            id: id(Int64(number)), product: product, key: LicenseKey(hash: hash(key), masked: "NOTE-****-\(key)"),
            terms: LicenseTerms(policy: policy, holder: holder, term: term), recordedState: state,
            issuedAt: now.adding(days: -400),
            firstActivatedAt: firstActivatedAt, isTest: isTest)
    }

    static func activation(
        _ number: Int, of license: LicenseID, identity: DeviceIdentity = .anonymous, system: DeviceSystem? = nil,
        at time: Timestamp = now, released: Timestamp? = nil, by releaser: Activation.Releaser? = nil
    ) -> Activation {
        Activation(
            id: activationID(number), license: license, identity: identity, name: "Gerät “\(number)”",
            system: system, activatedAt: time, releasedAt: released,
            releasedBy: releaser)
    }

    static func event(_ kind: EventKind, of license: LicenseID, product: ProductRef = notes) -> Event {
        Event(kind, at: now, actor: .time, about: .init(product, license: license))
    }

    static func job(_ number: Int, state: Job.State = .waiting) -> Job {
        Job(
            id: "job_\(number)", kind: "sample", tenant: nil, dueAt: now.adding(seconds: Int64(number)), state: state,
            payload: "{}")
    }

    static func signingKey(_ kid: String, status: SigningKeyRecord.Status, at time: Timestamp)
        -> SigningKeyRecord
    {
        SigningKeyRecord(
            tenant: acme, kid: kid, status: status, publicKey: Array(0..<32), sealedSeed: [0, 255, 7],
            createdAt: time, publishedUntil: status == .retiring ? time.adding(days: 30) : nil)
    }

    private static func slug<Named>(_ text: String, of type: Named.Type = Named.self) -> Slug<Named> {
        guard let slug = Slug<Named>(text) else { preconditionFailure("a sample's name is no slug") }
        return slug
    }
}
