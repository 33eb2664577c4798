/// The half-open interval [start, end) a license is granted for; without an end it is perpetual.
///
/// `end` is the first moment that no longer belongs to the term.
public struct Term: Sendable, Hashable {
    /// The first moment of the term.
    public let start: Timestamp

    /// The first moment after the term; nil when it never ends.
    public let end: Timestamp?

    /// Refuses a term that ends before it starts. An empty term (end = start) is allowed: it was over at once.
    public init?(start: Timestamp, end: Timestamp?) {
        if let end, end < start { return nil }
        self.start = start
        self.end = end
    }

    /// A term that never ends.
    public static func perpetual(from start: Timestamp) -> Term {
        Term(start: start, length: nil)
    }

    /// A term of so many days, perpetual when nil. Days are 86,400 s each.
    public init(start: Timestamp, length days: Int?) {
        self.start = start
        self.end = days.map { start.adding(days: max(0, $0)) }
    }

    /// Whether the term has ended at this moment.
    public func isOver(at now: Timestamp) -> Bool {
        guard let end else { return false }
        return now >= end
    }
}
