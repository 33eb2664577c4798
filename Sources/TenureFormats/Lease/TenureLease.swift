public import TenureCore

/// A signed, dated permission for one activation to run without asking again (design §4), bound to everything that it
/// depends on; `typ` `tenure-lease+jwt`.
public struct TenureLease: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-lease+jwt"

    /// A named capability as the lease gives it.
    public struct Grant: Sendable, Hashable {
        /// The capability.
        public let entitlement: Entitlement
        /// Its value, such as `25`; nil when it is only there or not.
        public let value: String?
        /// The first moment it no longer holds; nil when it holds as long as the lease.
        public let end: Timestamp?

        /// Names a capability.
        public init(_ entitlement: Entitlement, value: String? = nil, end: Timestamp? = nil) {
            self.entitlement = entitlement
            self.value = value
            self.end = end
        }
    }

    /// Key hash, device and activation are never nil here, but for the activation of an `expired` lease.
    public let envelope: StatementEnvelope

    /// The license.
    public let license: LicenseID

    /// The policy that it follows.
    public let policy: PolicyID

    /// The policy's name for people; nil where the server does not say.
    public let policyName: String?

    /// Whom the license belongs to; nil where the vendor does not show it.
    public let holder: String?

    /// What the license is granted for.
    public let term: Term

    /// What the lease permits.
    public let status: LeaseTerms.Status

    /// What it entitles to, in the order of the names' bytes; empty unless active.
    public let entitlements: [Grant]

    /// Puts a lease together.
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
    /// Reads what stands beside the envelope.
    ///
    /// Throws: `.badMember`, also for a lease that is bound to no key or device, or permits something and is bound to no
    /// activation, and for entitlements beside another status than active.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        let license = LicenseID(text: try members.require("license", members.string("license")))
        let policy = PolicyID(try members.require("policy", members.string("policy")))
        let status = LeaseTerms.Status(rawValue: try members.require("status", members.string("status")))
        guard let license, let policy, let status else {
            throw FormatError(.badMember, "a lease's license, policy or status is not of its shape")
        }
        let bound = envelope.keyHash != nil && envelope.device != nil
        guard bound, envelope.activation != nil || status == .expired else {
            throw FormatError(.badMember, "a lease is bound to a license key, a device and an activation")
        }
        let term = try members.require("term", members.object("term"))
        let start = Timestamp(seconds: try term.require("start", term.integer("start")))
        let end = term.kind("end") == .null ? nil : try term.require("end", term.integer("end"))
        guard let term = Term(start: start, end: end.map(Timestamp.init(seconds:))) else {
            throw FormatError(.badMember, "a term ends no earlier than it starts")
        }
        var grants: [Grant] = []
        for member in try members.require("entitlements", members.objects("entitlements")) {
            grants.append(try Grant(member))
        }
        guard grants.isEmpty || status == .active else {
            throw FormatError(.badMember, "only an active lease entitles to anything")
        }
        self.init(
            envelope, license: license, policy: policy, term: term, status: status, entitlements: grants,
            policyName: try members.optional("policyName", members.string("policyName")),
            holder: try members.optional("holder", members.string("holder")))
    }

    /// Writes what stands beside the envelope.
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
            throw FormatError(.badMember, "an entitlement's name is not of its shape")
        }
        self.init(
            entitlement, value: try object.optional("value", object.string("value")),
            end: try object.optional("end", object.integer("end")).map(Timestamp.init(seconds:)))
    }
}

/// An activation's place is free again: `typ` `tenure-release+jwt`.
public struct TenureRelease: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-release+jwt"

    /// Key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// Says that the place is free.
    public init(_ envelope: StatementEnvelope) { self.envelope = envelope }

    /// Reads what stands beside the envelope: nothing.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        self.init(envelope)
    }

    /// Writes what stands beside the envelope: nothing.
    public func write(into object: inout JSONObjectWriter) {}
}
