public import TenureCore
public import TenureFormats

extension ContentGrant: ContentStatement {
    /// The `typ` in the JWS header of a grant.
    public static let type = "tenure-grant+jwt"

    /// Writes the members that follow `v` and `tenant`, in the order of `Documentation/formats.md`.
    public func write(into object: inout JSONObjectWriter) {
        object.member("license", license.description)
        object.member("enrolment", enrolment.description)
        object.member("content", content.text)
        object.member("device", hex: device.bytes)
        object.member("requestId", request)
        object.member("version", version)
        object.member("issuedAt", issuedAt.seconds)
        object.member("notBefore", terms.notBefore?.seconds)
        object.member("expiresAt", terms.expiresAt?.seconds)
        object.member("windowAfterFirstPlay", terms.windowAfterFirstPlay)
        object.member("plays", terms.plays)
        object.member("playSeconds", terms.playSeconds)
        object.member("playTimeBasis", terms.playTimeBasis.rawValue)
        object.member("countAfterSeconds", terms.countAfterSeconds)
        object.member("resumeWithinSeconds", terms.resumeWithinSeconds)
        object.member("checkInBy", terms.checkInBy?.seconds)
        object.member("onlineRequired", terms.onlineRequired)
        object.member("askBeforeRenew", terms.askBeforeRenew)
        object.member("renewFrom", terms.renewFrom?.seconds)
        object.member("renewUntil", terms.renewUntil?.seconds)
        object.member("graceSeconds", terms.graceSeconds)
        object.member("whenOver", terms.whenOver.rawValue)
        object.member("ledger", terms.ledger.rawValue)
        object.member("settled", settled)
    }

    /// Reads the members that follow `v` and `tenant`.
    ///
    /// A missing limit is an error, because "no limit" is an explicit `null`.
    ///
    /// Throws: `.badMember`.
    public init(_ tenant: TenantID, _ members: FlatObject) throws(FormatError) {
        self.init(
            tenant: tenant, license: try members.read("license") { ContentLicenseID(text: $0) },
            enrolment: try members.read("enrolment") { EnrolmentID(text: $0) },
            content: try members.read("content") { ContentID($0) },
            device: try members.device("device"),
            request: try members.require("requestId", members.string("requestId")),
            version: try members.number("version", in: 1 ... .max),
            issuedAt: Timestamp(seconds: try members.require("issuedAt", members.integer("issuedAt"))),
            terms: try ContentTerms(members),
            settled: try members.number("settled", in: 0...SessionReport.highestSequence))
    }
}

extension ContentTerms {
    fileprivate init(_ members: FlatObject) throws(FormatError) {
        self.init()
        notBefore = try members.nullableTime("notBefore")
        expiresAt = try members.nullableTime("expiresAt")
        windowAfterFirstPlay = try members.nullable("windowAfterFirstPlay", in: 0 ... .max)
        plays = try members.nullable("plays", in: 0...Int64(Int32.max)).map { Int($0) }
        playSeconds = try members.nullable("playSeconds", in: 0...SessionReport.longestPlay)
        playTimeBasis = try members.read("playTimeBasis") { Basis(rawValue: $0) }
        countAfterSeconds = try members.number("countAfterSeconds", in: 0...Int64(Int32.max))
        resumeWithinSeconds = try members.number("resumeWithinSeconds", in: 0...Int64(Int32.max))
        checkInBy = try members.nullableTime("checkInBy")
        onlineRequired = try members.require("onlineRequired", members.boolean("onlineRequired"))
        askBeforeRenew = try members.require("askBeforeRenew", members.boolean("askBeforeRenew"))
        renewFrom = try members.nullableTime("renewFrom")
        renewUntil = try members.nullableTime("renewUntil")
        graceSeconds = try members.number("graceSeconds", in: 0...Int64(Int32.max))
        whenOver = try members.read("whenOver") { WhenOver(rawValue: $0) }
        ledger = try members.read("ledger") { Ledger(rawValue: $0) }
    }
}

extension FlatObject {
    /// Reads a time that must be present and may be `null`.
    fileprivate func nullableTime(_ name: String) throws(FormatError) -> Timestamp? {
        try nullable(name, in: .min ... .max).map(Timestamp.init(seconds:))
    }

    /// Reads a device's digest: 64 lower-case hexadecimal digits.
    func device(_ name: String) throws(FormatError) -> Digest {
        try read(name) { text in DeviceHash(text).flatMap { Hex.decode($0.text) }.flatMap { Digest($0) } }
    }
}
