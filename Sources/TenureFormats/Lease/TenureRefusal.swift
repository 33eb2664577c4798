public import TenureCore

/// The answer no, signed, with all its reasons: `typ` `tenure-refusal+jwt`. Only such a no changes a client's state
/// (design §5).
public struct TenureRefusal: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-refusal+jwt"

    /// How long after it was signed a no may be acted upon, in seconds.
    public static let lifetime: Int64 = 300

    /// A reason as it was signed.
    public struct Told: Sendable, Hashable {
        /// Which reason it is.
        public let code: Reason.Kind
        /// What happened, in one sentence for people.
        public let message: String
        /// What would help, in one sentence for people; nil when nothing does.
        public let cure: String?
        /// When it changes by itself; nil when it does not.
        public let changesAt: Timestamp?
        /// The numbers and dates behind it; a server before this member tells none.
        public let evidence: [Reason.Evidence]

        /// Tells a reason.
        public init(
            code: Reason.Kind, message: String, cure: String?, changesAt: Timestamp?, evidence: [Reason.Evidence] = []
        ) {
            self.code = code
            self.message = message
            self.cure = cure
            self.changesAt = changesAt
            self.evidence = evidence
        }

        /// Tells a reason of the law's.
        public init(_ reason: Reason) {
            self.init(
                code: reason.code, message: reason.message, cure: reason.cure, changesAt: reason.changesAt,
                evidence: reason.evidence)
        }
    }

    /// Key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// Why, most specific first; never empty.
    public let reasons: [Told]

    /// Says no.
    public init(_ envelope: StatementEnvelope, _ refusal: Refusal) {
        self.envelope = envelope
        reasons = refusal.reasons.map { Told($0) }
    }

    /// Reads what stands beside the envelope. Throws: `.badMember`, also for no reasons and for more than 64.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        var reasons: [Told] = []
        for member in try members.require("reasons", members.objects("reasons")) {
            reasons.append(try Told(member))
        }
        guard (1...64).contains(reasons.count) else {
            throw FormatError(.badMember, "a refusal has 1 to 64 reasons")
        }
        self.envelope = envelope
        self.reasons = reasons
    }

    /// Writes what stands beside the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.array("reasons") { list in
            for reason in reasons {
                list.object { reason.write(into: &$0) }
            }
        }
    }
}

extension TenureRefusal.Told {
    /// Writes the members of a reason as statements have them: its moments in POSIX seconds.
    package func write(into member: inout JSONObjectWriter) {
        member.member("code", code.text)
        member.member("message", message)
        member.member("cure", cure)
        member.member("changesAt", changesAt?.seconds)
        if !evidence.isEmpty { member.object("evidence") { $0.evidence(evidence) } }
    }

    init(_ object: FlatObject) throws(FormatError) {
        self.init(
            code: Reason.Kind(told: try object.require("code", object.string("code"))),
            message: try object.require("message", object.string("message")),
            cure: try object.optional("cure", object.string("cure")),
            changesAt: try object.optional("changesAt", object.integer("changesAt")).map(Timestamp.init(seconds:)),
            evidence: object.evidence("evidence"))
    }
}
