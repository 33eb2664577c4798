public import TenureCore
public import TenureFormats

/// A signed, dated permission for one activation to run without contacting the server: `typ` `tenure-lease+jwt`.
///
/// It is bound to the license key, the device and the activation.
public struct TenureLease: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-lease+jwt"

    /// An entitlement that a lease grants, with its value and its own end, if any.
    public struct Grant: Sendable, Hashable {
        /// The granted entitlement, by the name that the app checks.
        public let entitlement: Entitlement
        /// The entitlement's value, such as `25`; `nil` if it has none.
        public let value: String?
        /// The first second at which the entitlement is no longer valid; `nil` if it lasts as long as the lease.
        public let end: Timestamp?

        /// Creates a grant; by default, it has no value and lasts as long as the lease.
        public init(_ entitlement: Entitlement, value: String? = nil, end: Timestamp? = nil) {
            self.entitlement = entitlement
            self.value = value
            self.end = end
        }
    }

    /// The members that every signed statement has.
    ///
    /// A lease always has a key hash and a device; only an `expired` lease may lack the activation.
    public let envelope: StatementEnvelope

    /// The license that the lease is for, by its id in the operator's API.
    public let license: LicenseID

    /// The id of the license's policy.
    public let policy: PolicyID

    /// The policy's display name; `nil` if the server doesn't send one.
    public let policyName: String?

    /// The license's holder; `nil` if the vendor doesn't show it.
    public let holder: String?

    /// The term that the license is granted for.
    public let term: Term

    /// What the lease permits.
    public let status: LeaseTerms.Status

    /// The entitlements, sorted by the bytes of their names; empty unless the lease is active.
    public let entitlements: [Grant]

    /// Creates a lease with these values, which only ``init(_:_:)`` checks.
    public init(
        _ envelope: StatementEnvelope, license: LicenseID, policy: PolicyID, term: Term, status: LeaseTerms.Status,
        entitlements: [Grant], policyName: String? = nil, holder: String? = nil
    ) {
        self.envelope = envelope
        self.license = license
        self.policy = policy
        self.policyName = policyName
        self.holder = holder
        self.term = term
        self.status = status
        self.entitlements = entitlements
    }
}

extension TenureLease {
    /// Reads the members that follow the envelope.
    ///
    /// - Throws: `.badMember` if a member is missing or invalid. Also if there is no key hash or device. A lease
    ///   without an activation must be `expired`, and one with entitlements must be `active`.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        let license = LicenseID(text: try members.require("license", members.string("license")))
        let policy = PolicyID(try members.require("policy", members.string("policy")))
        let status = LeaseTerms.Status(rawValue: try members.require("status", members.string("status")))
        guard let license, let policy, let status else {
            throw FormatError(.badMember, "the license, policy or status of a lease has an invalid format")
        }
        let bound = envelope.keyHash != nil && envelope.device != nil
        guard bound, envelope.activation != nil || status == .expired else {
            throw FormatError(.badMember, "a lease must name a license key, a device and an activation")
        }
        let term = try members.require("term", members.object("term"))
        let start = Timestamp(seconds: try term.require("start", term.integer("start")))
        let end = term.kind("end") == .null ? nil : try term.require("end", term.integer("end"))
        guard let term = Term(start: start, end: end.map(Timestamp.init(seconds:))) else {
            throw FormatError(.badMember, "a term must not end before it starts")
        }
        var grants: [Grant] = []
        for member in try members.require("entitlements", members.objects("entitlements")) {
            grants.append(try Grant(member))
        }
        guard grants.isEmpty || status == .active else {
            throw FormatError(.badMember, "only an active lease may have entitlements")
        }
        self.init(
            envelope, license: license, policy: policy, term: term, status: status, entitlements: grants,
            policyName: try members.optional("policyName", members.string("policyName")),
            holder: try members.optional("holder", members.string("holder")))
    }

    /// Writes the members that follow the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("license", license.description)
        object.member("policy", policy.text)
        object.object("term") { member in
            member.member("start", term.start.seconds)
            member.member("end", term.end?.seconds)
        }
        object.member("status", status.rawValue)
        object.array("entitlements") { list in
            for grant in entitlements {
                list.object { member in
                    member.member("name", grant.entitlement.name)
                    member.member("value", grant.value)
                    member.member("end", grant.end?.seconds)
                }
            }
        }
        if let policyName { object.member("policyName", policyName) }
        if let holder { object.member("holder", holder) }
    }
}

extension TenureLease.Grant {
    fileprivate init(_ object: FlatObject) throws(FormatError) {
        guard let entitlement = Entitlement(try object.require("name", object.string("name"))) else {
            throw FormatError(.badMember, "the name of an entitlement has an invalid format")
        }
        self.init(
            entitlement, value: try object.optional("value", object.string("value")),
            end: try object.optional("end", object.integer("end")).map(Timestamp.init(seconds:)))
    }
}

/// The confirmation that an activation was released: `typ` `tenure-release+jwt`.
public struct TenureRelease: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-release+jwt"

    /// The envelope; its key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// Creates a confirmation with the given envelope.
    public init(_ envelope: StatementEnvelope) { self.envelope = envelope }

    /// Reads a confirmation, which has no members besides the envelope.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        self.init(envelope)
    }

    /// Writes nothing, because there are no members besides the envelope.
    public func write(into object: inout JSONObjectWriter) {}
}
