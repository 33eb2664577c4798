public import TenureCore

/// The answer no about a content, signed, with all its reasons: `typ` `tenure-content-refusal+jwt`. Only such a no locks
/// or deletes what is on a device.
public struct ContentRefusal: ContentStatement {
    /// The header's `typ`.
    public static let type = "tenure-content-refusal+jwt"

    /// Whose content.
    public let tenant: TenantID
    /// Which license; nil where there is none.
    public let license: ContentLicenseID?
    /// Which content.
    public let content: ContentID
    /// On which device.
    public let device: Digest
    /// The request that it answers.
    public let request: String
    /// The present version of the license; 0 where there is none.
    public let version: Int64
    /// When it was signed, by the server's clock.
    public let issuedAt: Timestamp
    /// What the device does.
    public let act: ContentAnswer.Act
    /// Why, most specific first; never empty.
    public let reasons: [TenureRefusal.Told]

    /// Says no to a question for a content, as the law answered it; nil when it said yes.
    public init?(_ answer: ContentAnswer, to ask: ContentRequest, at now: Timestamp) {
        self.init(answer, ask.tenant, ask.content, ask.device, ask.request, at: now)
    }

    /// Says no to a question about a license, as the law answered it; nil when it said yes, or knows of none.
    public init?(_ answer: ContentAnswer, to request: String, at now: Timestamp) {
        guard let grant = answer.license?.present else { return nil }
        self.init(answer, grant.tenant, grant.content, grant.device, request, at: now)
    }

    private init?(
        _ answer: ContentAnswer, _ tenant: TenantID, _ content: ContentID, _ device: Digest, _ request: String,
        at now: Timestamp
    ) {
        guard !answer.reasons.isEmpty else { return nil }
        self.tenant = tenant
        license = answer.license?.id
        self.content = content
        self.device = device
        self.request = request
        version = answer.license?.version ?? 0
        issuedAt = now
        act = answer.act
        reasons = answer.reasons.map { TenureRefusal.Told($0) }
    }

    /// Reads what stands behind `v` and `tenant`. Throws: `.badMember`, also for no reasons and for more than 64.
    public init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError) {
        var reasons: [TenureRefusal.Told] = []
        for member in try members.require("reasons", members.objects("reasons")) {
            reasons.append(try TenureRefusal.Told(member))
        }
        guard (1...64).contains(reasons.count) else {
            throw FormatError(.badMember, "a refusal has 1 to 64 reasons")
        }
        self.tenant = tenant
        license = try members.nullable("license") { ContentLicenseID(text: $0) }
        content = try members.read("content") { ContentID($0) }
        device = try members.device("device")
        request = try members.require("requestId", members.string("requestId"))
        version = try members.number("version", in: 0 ... .max)
        issuedAt = Timestamp(seconds: try members.require("issuedAt", members.integer("issuedAt")))
        act = try members.read("act") { ContentAnswer.Act(rawValue: $0) }
        self.reasons = reasons
    }

    /// Writes what stands behind `v` and `tenant`.
    public func write(into object: inout JSONObjectWriter) {
        object.member("license", license?.description)
        object.member("content", content.text)
        object.member("device", Hex.encode(device.bytes))
        object.member("requestId", request)
        object.member("version", version)
        object.member("issuedAt", issuedAt.seconds)
        object.member("act", act.rawValue)
        object.array("reasons") { list in
            for reason in reasons { list.object { reason.write(into: &$0) } }
        }
    }
}

/// The server's time, signed: `typ` `tenure-time+jwt`. Its nonce proves that it was signed for this question.
public struct ContentTime: ContentStatement {
    /// The header's `typ`.
    public static let type = "tenure-time+jwt"

    /// Whose server was asked.
    public let tenant: TenantID
    /// What the device drew: 16 to 64 of `A`-`Z`, `a`-`z`, `0`-`9`, `_` and `-`.
    public let nonce: String
    /// The time, by the server's clock.
    public let issuedAt: Timestamp

    /// Tells the time; refuses a nonce of another shape.
    public init?(tenant: TenantID, nonce: String, at now: Timestamp) {
        guard (16...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy(Self.isOfNonce) else { return nil }
        self.tenant = tenant
        self.nonce = nonce
        issuedAt = now
    }

    /// Reads what stands behind `v` and `tenant`. Throws: `.badMember`.
    public init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError) {
        let now = Timestamp(seconds: try members.require("issuedAt", members.integer("issuedAt")))
        self = try members.read("nonce") { ContentTime(tenant: tenant, nonce: $0, at: now) }
    }

    /// Writes what stands behind `v` and `tenant`.
    public func write(into object: inout JSONObjectWriter) {
        object.member("nonce", nonce)
        object.member("issuedAt", issuedAt.seconds)
    }

    private static func isOfNonce(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
