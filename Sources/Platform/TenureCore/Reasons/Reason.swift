/// Why a request was refused: a stable code, the evidence, a remedy, and when the result will change.
public struct Reason: Sendable, Hashable {
    /// A fact on which the decision is based.
    public struct Evidence: Sendable, Hashable {
        /// The name in lower camel case, such as `expiredAt`.
        public let name: String
        /// The value, with the type that ``Kind/facts`` declares for this name.
        public let value: Value

        /// A number, a date or a string.
        public enum Value: Sendable, Hashable {
            /// An integer: a count, or a number of seconds or days.
            case number(Int64)
            /// A point in time.
            case date(Timestamp)
            /// A string; never a license key or another secret.
            case text(String)

            /// The value as text; a date as RFC 3339.
            public var text: String {
                switch self {
                case .number(let number): String(number)
                case .date(let date): date.description
                case .text(let text): text
                }
            }
        }

        /// Creates a piece of evidence.
        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The reason's code, the only part that programs may branch on.
    public let code: Kind

    /// The message for people: the cause of the refusal, in a sentence or two.
    public let message: String

    /// The remedy for people, in a sentence or two.
    public let cure: String

    /// The numbers, dates and names that the decision is based on.
    public let evidence: [Evidence]

    /// The time at which the result changes automatically; `nil` if it doesn't.
    public let changesAt: Timestamp?

    /// Creates a reason; without a message or a remedy, those of the kind apply.
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
    /// The reason with the remedy for the vendor, if the kind has one.
    ///
    /// - Parameter license: The argument that names the license in the remedy's commands.
    package func forVendor(of license: String) -> Reason {
        guard let cure = code.vendorCure(of: license) else { return self }
        return Reason(code, message: message, cure: cure, evidence: evidence, changesAt: changesAt)
    }
}

extension Reason {
    /// A kind of reason: its stable code and its documentation.
    ///
    /// The set is open: each feature declares its kinds in a file of its own and lists them. Clients must accept codes
    /// that they don't know. Two kinds are equal if their codes are equal.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The code used in the API, the SDK, the command line and pages.
        public let text: String

        /// The default message of a reason: the cause of the refusal, in a sentence or two for people.
        public let sentence: String

        /// The default remedy of a reason, in a sentence or two for people.
        public let cure: String

        /// The remedy for the vendor, with a placeholder for the license; `nil` if it's the same as ``cure``.
        private let vendorCure: String?

        private static let license = "{license}"

        /// The remedy for the vendor, with commands that name this license; `nil` if it's the same as ``cure``.
        package func vendorCure(of license: String) -> String? {
            vendorCure?.replacing(Self.license, with: license)
        }

        /// The facts that reasons of this kind carry.
        public let facts: [Fact]

        /// The first version of Tenure that sent this code.
        public let since: String

        /// Declares a kind; the documentation is generated from these values.
        ///
        /// - Parameter vendorCure: The remedy for the vendor, if it differs; `{license}` is replaced by the license.
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

        /// Creates a kind from a received code, even if this version doesn't know it.
        public init(told code: String) { self.init(code, code, cure: "", since: "") }

        /// The same as ``text``.
        public var description: String { text }

        /// Compares two kinds by code.
        public static func == (one: Kind, other: Kind) -> Bool { one.text == other.text }

        /// Hashes the code.
        public func hash(into hasher: inout Hasher) { hasher.combine(text) }
    }
}

/// A refusal with all its reasons, most specific first; there is always at least one.
public struct Refusal: Sendable, Hashable {
    /// The most specific reason. Responses use its code and message for the refusal.
    public let first: Reason

    /// The remaining reasons, most specific first.
    public let others: [Reason]

    /// Creates a refusal from one or more reasons.
    public init(_ first: Reason, _ others: [Reason] = []) {
        self.first = first
        self.others = others
    }

    /// Creates a refusal from an array of reasons; returns `nil` if it is empty.
    public init?(_ reasons: [Reason]) {
        guard let first = reasons.first else { return nil }
        self.init(first, Array(reasons.dropFirst()))
    }

    /// All the reasons, most specific first.
    public var reasons: [Reason] { [first] + others }

    /// The refusal with the remedies for the vendor, where the kinds have one.
    ///
    /// - Parameter license: The argument that names the license in the remedies' commands.
    package func forVendor(of license: String) -> Refusal {
        Refusal(first.forVendor(of: license), others.map { $0.forVendor(of: license) })
    }
}

/// The result of a decision: granted or refused.
public enum Decision<Outcome> {
    /// Granted, with the outcome.
    case granted(Outcome)
    /// Refused, with the reasons.
    case refused(Refusal)

    /// The outcome; `nil` if refused.
    public var outcome: Outcome? {
        if case .granted(let outcome) = self { outcome } else { nil }
    }

    /// The refusal; `nil` if granted.
    public var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

extension Decision {
    /// Transforms the outcome of a granted decision; a refusal stays as it is.
    public func map<Other>(_ change: (Outcome) -> Other) -> Decision<Other> {
        switch self {
        case .granted(let outcome): .granted(change(outcome))
        case .refused(let refusal): .refused(refusal)
        }
    }
}

extension Decision: Sendable where Outcome: Sendable {}
extension Decision: Equatable where Outcome: Equatable {}
