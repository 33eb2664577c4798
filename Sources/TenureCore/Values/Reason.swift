/// Why an answer is no: a stable code, the evidence, a cure, and when it changes by itself (design §5).
public struct Reason: Sendable, Hashable {
    /// One fact that the decision rests on.
    public struct Evidence: Sendable, Hashable {
        /// What the fact is called, in lower camel case, such as `expiredAt`.
        public let name: String
        /// The fact.
        public let value: Value

        /// A number, a date or a text.
        public enum Value: Sendable, Hashable {
            /// A count or a number of seconds or days.
            case number(Int64)
            /// A moment.
            case date(Timestamp)
            /// A name; never a key or a secret.
            case text(String)

            /// The fact as text, a date as RFC 3339.
            public var text: String {
                switch self {
                case .number(let number): String(number)
                case .date(let date): date.description
                case .text(let text): text
                }
            }
        }

        /// Names a fact.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// Which reason it is; programs branch on this and on nothing else.
    public let code: Kind

    /// What happened, in one sentence for people.
    public let message: String

    /// What would help, in one sentence for people.
    public let cure: String

    /// The numbers and dates behind it.
    public let evidence: [Evidence]

    /// When the answer changes by itself; nil when it does not.
    public let changesAt: Timestamp?

    /// Says why, in words of its own where the kind's would tell less.
    public init(
        _ code: Kind, message: String? = nil, cure: String? = nil, evidence: [Evidence] = [],
        changesAt: Timestamp? = nil
    ) {
        self.code = code
        self.message = message ?? code.sentence
        self.cure = cure ?? code.cure
        self.evidence = evidence
        self.changesAt = changesAt
    }
}

extension Reason {
    /// The same reason as it is told to the vendor: with what a vendor can do.
    public var forVendor: Reason {
        guard let cure = code.vendorCure else { return self }
        return Reason(code, message: message, cure: cure, evidence: evidence, changesAt: changesAt)
    }
}

extension Reason {
    /// Why an answer can be no: the stable code, and what is to be known of every reason that has it.
    ///
    /// An open set: a family makes its kinds in a file of its own and lists them, and a client must expect codes that it
    /// does not know. Two kinds are the same when their codes are.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name on the wire, in the SDK, on the command line and on pages.
        public let text: String

        /// What it means, in one sentence for people; what a reason says when it has no words of its own.
        public let sentence: String

        /// What would help, in one sentence for people; what a reason says when it has no words of its own.
        public let cure: String

        /// What would help, in one sentence for the vendor, where that is not the same.
        public let vendorCure: String?

        /// The facts that its reasons carry.
        public let facts: [Fact]

        /// The version of Tenure that told it first.
        public let since: String

        /// Declares a kind.
        public init(
            _ code: String, _ sentence: String, cure: String, vendorCure: String? = nil, facts: [Fact] = [],
            since: String
        ) {
            self.vendorCure = vendorCure
            text = code
            self.sentence = sentence
            self.cure = cure
            self.facts = facts
            self.since = since
        }

        /// Names a kind that somebody else told of, whether it is known here or not.
        public init(told code: String) { self.init(code, code, cure: "", since: "") }

        /// The code.
        public var description: String { text }

        /// Compares codes.
        public static func == (one: Kind, other: Kind) -> Bool { one.text == other.text }

        /// Hashes the code.
        public func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}

/// The answer no, with all its reasons, most specific first; never empty.
public struct Refusal: Sendable, Hashable {
    /// The reason to show first.
    public let first: Reason

    /// The others, in order.
    public let others: [Reason]

    /// Refuses for one reason, or for more.
    public init(_ first: Reason, _ others: [Reason] = []) {
        self.first = first
        self.others = others
    }

    /// Refuses for the reasons given; nil when there are none, for then there is nothing to refuse.
    public init?(_ reasons: [Reason]) {
        guard let first = reasons.first else { return nil }
        self.init(first, Array(reasons.dropFirst()))
    }

    /// All the reasons, most specific first.
    public var reasons: [Reason] { [first] + others }
}

/// What a decision comes to: yes, with what follows from it, or no.
public enum Decision<Outcome> {
    /// Yes.
    case granted(Outcome)
    /// No, and why.
    case refused(Refusal)

    /// What was granted, or nil.
    public var outcome: Outcome? {
        if case .granted(let outcome) = self { outcome } else { nil }
    }

    /// Why it was refused, or nil.
    public var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

extension Decision {
    /// The same decision with what was granted put otherwise.
    public func map<Other>(_ change: (Outcome) -> Other) -> Decision<Other> {
        switch self {
        case .granted(let outcome): .granted(change(outcome))
        case .refused(let refusal): .refused(refusal)
        }
    }
}

extension Decision: Sendable where Outcome: Sendable {}
extension Decision: Equatable where Outcome: Equatable {}
