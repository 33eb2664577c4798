/// The half-open interval [start, end) for which a license is granted.
public struct Term: Sendable, Hashable {
    /// The first second of the term.
    public let start: Timestamp

    /// The first second after the term; `nil` if the term never ends.
    public let end: Timestamp?

    /// Creates a term; returns `nil` if it would end before it starts.
    ///
    /// An empty term, with `end` equal to `start`, is allowed: it has ended from the beginning.
    public init?(start: Timestamp, end: Timestamp?) {
        if let end, end < start { return nil }
        self.start = start
        self.end = end
    }

    /// Creates a term that never ends.
    public static func perpetual(from start: Timestamp) -> Term {
        Term(start: start, length: nil)
    }

    /// Creates a term of this many days of 86,400 seconds; `nil` makes it perpetual.
    ///
    /// A negative length counts as 0. The term ends at ``Timestamp/latest`` at the latest, unless it starts later.
    public init(start: Timestamp, length days: Int?) {
        self.start = start
        self.end = days.map { start.adding(days: max(0, $0)).bounded(from: start) }
    }

    /// Whether the term has ended at this time.
    public func isOver(at now: Timestamp) -> Bool {
        guard let end else { return false }
        return now >= end
    }
}

/// The end that an operator sets for a term.
public enum TermEnd: Sendable, Hashable {
    /// No end: the license becomes perpetual.
    case never
    /// The first second after the term; a time in the past expires the license at once.
    case at(Timestamp)

    /// Parses `never`, or an end as ``Timestamp/init(endText:)`` does; `nil` for any other text.
    public init?(text: String) {
        if text == "never" {
            self = .never
        } else {
            guard let end = Timestamp(endText: text) else { return nil }
            self = .at(end)
        }
    }

    /// The end as a timestamp; `nil` for never.
    public var end: Timestamp? { if case .at(let time) = self { time } else { nil } }
}

// When an old copy of a store is restored, only the withdrawals made since then are carried over.
//
// Rights granted since then are lost, but they can be granted again. Without the carry-over, a revoked or released
// right would silently be valid again. Each `takingBack` function applies the withdrawals of a later record to the
// copy's record, and returns `nil` if there is nothing to carry over.

extension Term {
    /// Returns this term with the later record's end if that end is earlier; otherwise `nil`.
    ///
    /// If that end is even before this term's start, the result is the later record's term.
    package func takingBack(_ later: Term) -> Term? {
        guard let end = later.end, self.end.map({ end < $0 }) ?? true else { return nil }
        return Term(start: start, end: end) ?? later
    }
}
