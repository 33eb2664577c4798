public import TenureCore

/// A signed refusal with all its reasons: `typ` `tenure-refusal+jwt`.
///
/// Only a signed refusal changes a client's state.
public struct TenureRefusal: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-refusal+jwt"

    /// How long a client may act on a refusal after it was signed, in seconds.
    public static let lifetime: Int64 = 300

    /// A reason as sent in a refusal.
    public struct ServerReason: Sendable, Hashable {
        /// The reason's stable code, by which clients distinguish reasons.
        public let code: Reason.Kind
        /// The cause of the refusal, in one sentence for the user.
        public let message: String
        /// The remedy, in one sentence for the user; `nil` if nothing helps.
        public let cure: String?
        /// The time at which the reason ceases to apply automatically; `nil` if it doesn't.
        public let changesAt: Timestamp?
        /// The numbers, dates and texts that the decision was based on; empty if the server predates this member.
        public let evidence: [Reason.Evidence]

        /// Creates a reason from its parts.
        public init(
            code: Reason.Kind, message: String, cure: String?, changesAt: Timestamp?, evidence: [Reason.Evidence] = []
        ) {
            self.code = code
            self.message = message
            self.cure = cure
            self.changesAt = changesAt
            self.evidence = evidence
        }

        /// Creates the form in which a decision's reason is sent.
        public init(_ reason: Reason) {
            self.init(
                code: reason.code, message: reason.message, cure: reason.cure, changesAt: reason.changesAt,
                evidence: reason.evidence)
        }
    }

    /// The envelope; its key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// The reasons, most specific first; never empty.
    public let reasons: [ServerReason]

    /// Creates the signed form of a refusal.
    public init(_ envelope: StatementEnvelope, _ refusal: Refusal) {
        self.envelope = envelope
        reasons = refusal.reasons.map { ServerReason($0) }
    }

    /// Reads the members that follow the envelope.
    ///
    /// Throws: `.badMember`, also if there are no reasons or more than 64.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        var reasons: [ServerReason] = []
        for member in try members.require("reasons", members.objects("reasons")) {
            reasons.append(try ServerReason(member))
        }
        guard (1...64).contains(reasons.count) else {
            throw FormatError(.badMember, "a refusal must have 1 to 64 reasons")
        }
        self.envelope = envelope
        self.reasons = reasons
    }

    /// Writes the members that follow the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.array("reasons") { list in
            for reason in reasons {
                list.object { reason.write(into: &$0) }
            }
        }
    }
}

extension TenureRefusal.ServerReason {
    /// Writes a reason's members as statements have them, with times in POSIX seconds.
    package func write(into member: inout JSONObjectWriter) {
        member.member("code", code.text)
        member.member("message", message)
        member.member("cure", cure)
        member.member("changesAt", changesAt?.seconds)
        if !evidence.isEmpty { member.object("evidence") { $0.evidence(evidence) } }
    }

    package init(_ object: FlatObject) throws(FormatError) {
        self.init(
            code: Reason.Kind(told: try object.require("code", object.string("code"))),
            message: try object.require("message", object.string("message")),
            cure: try object.optional("cure", object.string("cure")),
            changesAt: try object.optional("changesAt", object.integer("changesAt")).map(Timestamp.init(seconds:)),
            evidence: object.evidence("evidence"))
    }
}
