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

extension Decision: Sendable where Outcome: Sendable {}
extension Decision: Equatable where Outcome: Equatable {}
