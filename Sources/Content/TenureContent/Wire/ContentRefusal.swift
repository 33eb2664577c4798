public import TenureCore
public import TenureFormats

/// A signed refusal of a content item, with all its reasons: `typ` `tenure-content-refusal+jwt`.
///
/// Only a signed refusal locks or deletes content on a device.
public struct ContentRefusal: ContentStatement {
    /// The `typ` in the JWS header of a refusal.
    public static let type = "tenure-content-refusal+jwt"

    /// The tenant that owns the content.
    public let tenant: TenantID
    /// The license; `nil` if there isn't one.
    public let license: ContentLicenseID?
    /// The content item that was refused.
    public let content: ContentID
    /// The digest of the id of the device that sent the request.
    public let device: Digest
    /// The id of the request that the refusal answers.
    public let request: String
    /// The license's current version; 0 if there is no license.
    public let version: Int64
    /// When the refusal was signed, by the server's clock.
    public let issuedAt: Timestamp
    /// What the device must do with the content.
    public let act: ContentAnswer.Act
    /// The reasons, most specific first; never empty.
    public let reasons: [TenureRefusal.ServerReason]

    /// Creates the refusal of a request for content; `nil` if the decision has no reasons, because it granted the
    /// request.
    public init?(_ answer: ContentAnswer, to request: ContentRequest, at now: Timestamp) {
        self.init(answer, request.tenant, request.content, request.device, request.request, at: now)
    }

    /// Creates the refusal of a request about an existing license.
    ///
    /// Returns `nil` if the decision granted the request or is about no license.
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
        reasons = answer.reasons.map { TenureRefusal.ServerReason($0) }
    }

    /// Reads the members that follow `v` and `tenant`.
    ///
    /// - Throws: `.badMember`, also if there are no reasons or more than 64.
    public init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError) {
        var reasons: [TenureRefusal.ServerReason] = []
        for member in try members.require("reasons", members.objects("reasons")) {
            reasons.append(try TenureRefusal.ServerReason(member))
        }
        guard (1...64).contains(reasons.count) else {
            throw FormatError(.badMember, "a refusal must have 1 to 64 reasons")
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

    /// Writes the members that follow `v` and `tenant`.
    public func write(into object: inout JSONObjectWriter) {
        object.member("license", license?.description)
        object.member("content", content.text)
        object.member("device", hex: device.bytes)
        object.member("requestId", request)
        object.member("version", version)
        object.member("issuedAt", issuedAt.seconds)
        object.member("act", act.rawValue)
        object.array("reasons") { list in
            for reason in reasons { list.object { reason.write(into: &$0) } }
        }
    }
}

/// The server's time, signed: `typ` `tenure-time+jwt`.
///
/// Its nonce proves that it was signed for this request.
public struct ContentTime: ContentStatement {
    /// The `typ` in the JWS header of a signed time.
    public static let type = "tenure-time+jwt"

    /// The tenant that the request named.
    public let tenant: TenantID
    /// The device's random nonce: 16 to 64 characters of `A`-`Z`, `a`-`z`, `0`-`9`, `_` and `-`.
    public let nonce: String
    /// The time of the server's clock.
    public let issuedAt: Timestamp

    /// Creates a statement of the time; returns `nil` if the nonce has another length or other characters.
    public init?(tenant: TenantID, nonce: String, at now: Timestamp) {
        guard (16...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy(Self.isOfNonce) else { return nil }
        self.tenant = tenant
        self.nonce = nonce
        issuedAt = now
    }

    /// Reads the members that follow `v` and `tenant`.
    ///
    /// - Throws: `.badMember`.
    public init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError) {
        let now = Timestamp(seconds: try members.require("issuedAt", members.integer("issuedAt")))
        self = try members.read("nonce") { ContentTime(tenant: tenant, nonce: $0, at: now) }
    }

    /// Writes the members that follow `v` and `tenant`.
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
