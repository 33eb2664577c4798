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
        var terms = terms
        terms.code(with: &object)
        object.member("settled", settled)
    }

    /// Reads the members that follow `v` and `tenant`.
    ///
    /// A missing limit is an error, because "no limit" is an explicit `null`.
    ///
    /// - Throws: `.badMember`.
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
        var reader = GrantTermsReader(members: members)
        try code(with: &reader)
    }
}

extension JSONObjectWriter: ContentTermsCoder {
    package mutating func time(_ name: String, _ value: inout Timestamp?) { member(name, value?.seconds) }

    package mutating func limit(_ name: String, _ value: inout Int64?, in range: ClosedRange<Int64>) {
        member(name, value)
    }

    package mutating func number(_ name: String, _ value: inout Int64, in range: ClosedRange<Int64>) {
        member(name, value)
    }

    package mutating func flag(_ name: String, _ value: inout Bool) { member(name, value) }

    package mutating func choice<Choice: CaseIterable & RawRepresentable<String> & Equatable>(
        _ name: String, _ value: inout Choice
    ) { member(name, value.rawValue) }
}

private struct GrantTermsReader: ContentTermsCoder {
    let members: FlatObject

    mutating func time(_ name: String, _ value: inout Timestamp?) throws(FormatError) {
        value = try members.nullable(name, in: .min ... .max).map(Timestamp.init(seconds:))
    }

    mutating func limit(_ name: String, _ value: inout Int64?, in range: ClosedRange<Int64>) throws(FormatError) {
        value = try members.nullable(name, in: range)
    }

    mutating func number(_ name: String, _ value: inout Int64, in range: ClosedRange<Int64>) throws(FormatError) {
        value = try members.number(name, in: range)
    }

    mutating func flag(_ name: String, _ value: inout Bool) throws(FormatError) {
        value = try members.require(name, members.boolean(name))
    }

    mutating func choice<Choice: CaseIterable & RawRepresentable<String> & Equatable>(
        _ name: String, _ value: inout Choice
    ) throws(FormatError) {
        value = try members.read(name) { Choice(rawValue: $0) }
    }
}

extension FlatObject {
    /// Reads a device's digest: 64 lower-case hexadecimal digits.
    func device(_ name: String) throws(FormatError) -> Digest {
        try read(name) { text in DeviceHash(text).flatMap { Hex.decode($0.text) }.flatMap { Digest($0) } }
    }
}
