// When an old copy of a store is restored, only the withdrawals made since then are carried over.
//
// Rights granted since then are lost, but they can be granted again. Without the carry-over, a revoked or released
// right would silently be valid again. Each function returns the copy's record with the later record's withdrawals
// applied, and a short word for each one. It returns `nil` if there is nothing to carry over.

extension Term {
    /// Returns this term with the later term's end, if that end is earlier.
    package func takingBack(_ later: Term) -> Term? {
        guard let end = later.end, self.end.map({ end < $0 }) ?? true else { return nil }
        return Term(start: start, end: end) ?? later
    }
}
