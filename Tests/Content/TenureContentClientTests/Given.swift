import TenureClient
import TenureContent
import TenureContentClient
import TenureCore
import TenureCrypto
import TenureFormats

/// Sample values: grants, their licenses and items of content, and the owner of a ledger.
enum Given {
    static let now = Timestamp(seconds: 1_800_000_000)
    static let tenant = TenantID("acme")!
    static let device = Digest([UInt8](repeating: 1, count: 32))!
    static let owner = LedgerOwner(tenant: tenant, holder: "mia", device: device)
    static let binding = [UInt8](repeating: 9, count: 32)
    static let key = Ed25519.PrivateKey.generate()

    static func content(_ number: Int) -> ContentID { ContentID("mck-\(number)")! }

    static func license(_ number: Int) -> ContentLicenseID { ContentLicenseID(number: Int64(number))! }

    static func grant(
        _ number: Int = 1, version: Int64 = 1, settled: Int64 = 0, at time: Timestamp = now,
        _ change: (inout ContentTerms) -> Void = { _ in }
    ) -> ContentGrant {
        var terms = ContentTerms()
        change(&terms)
        return ContentGrant(
            tenant: tenant, license: license(number), enrolment: EnrolmentID(number: 3)!, content: content(number),
            device: device, request: "r-\(number)-\(version)", version: version, issuedAt: time, terms: terms,
            settled: settled)
    }

    static func proof(_ grant: ContentGrant) -> [UInt8] { grant.signed(kid: "k1", with: key) }

    static func session(_ low: UInt64) -> PlaySessionID { PlaySessionID(high: 0, low: low) }
}

/// A small seeded generator (SplitMix64), so that a failing property test can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
