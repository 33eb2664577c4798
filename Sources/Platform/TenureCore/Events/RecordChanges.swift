/// The events that two states of a store recorded about one record after the last event that both states have.
///
/// One is the store in use, the other one a state that another server continued. Events show which state made a change.
package struct RecordChanges: Sendable, Hashable {
    /// The kinds of the events of the store in use; `nil` for an old copy, which has none of its own.
    private let own: Set<EventKind>?
    private let other: Set<EventKind>

    /// The store in use is an old copy, so every difference comes from the other state.
    package static let ofOldCopy = RecordChanges(own: nil, other: [])

    /// The changes in two states that were both changed after they split.
    ///
    /// - Parameter other: The kinds of the other state's events that the store in use lacks.
    package init(own: Set<EventKind>, other: Set<EventKind>) { self.init(own: .some(own), other: other) }

    private init(own: Set<EventKind>?, other: Set<EventKind>) {
        self.own = own
        self.other = other
    }

    /// Whether the other state recorded an event of one of these kinds, or any event if `kinds` is `nil`; always `true`
    /// for ``ofOldCopy``.
    package func include(_ kinds: Set<EventKind>? = nil) -> Bool {
        if own == nil { return true }
        return kinds.map { !other.isDisjoint(with: $0) } ?? !other.isEmpty
    }

    /// Whether only the other state made this change: it recorded an event of one of these kinds, and the store in use
    /// didn't. It's always `true` for ``ofOldCopy``.
    ///
    /// - Parameter kinds: The kinds of events; `nil` for any.
    package func decide(_ kinds: Set<EventKind>? = nil) -> Bool {
        guard let own else { return true }
        return include(kinds) && (kinds.map { own.isDisjoint(with: $0) } ?? own.isEmpty)
    }
}
