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
    public let code: ReasonCode

    /// What happened, in one sentence for people.
    public let message: String

    /// What would help, in one sentence for people.
    public let cure: String

    /// The numbers and dates behind it.
    public let evidence: [Evidence]

    /// When the answer changes by itself; nil when it does not.
    public let changesAt: Timestamp?

    /// Puts a reason together.
    public init(
        code: ReasonCode, message: String, cure: String, evidence: [Evidence] = [], changesAt: Timestamp? = nil
    ) {
        self.code = code
        self.message = message
        self.cure = cure
        self.evidence = evidence
        self.changesAt = changesAt
    }
}
