/// What waits for the writer.
package struct WriteQueue {
    /// What the writer does next.
    package enum Work {
        case changes([any WaitingChange])
        case note(WaitingNote)
    }

    private var changes: [any WaitingChange] = []
    private var upkeep: [any WaitingChange] = []
    private var notes: [WaitingNote] = []
    private var groupsSinceUpkeep = 0
    private var groupsSinceNotes = 0

    package init() {}

    /// Queues a change.
    package mutating func add(_ change: any WaitingChange) {
        if change.yields { upkeep.append(change) } else { changes.append(change) }
    }

    /// Queues notes.
    package mutating func add(_ note: WaitingNote) { notes.append(note) }

    /// Puts back notes of which a portion has been written.
    package mutating func putBack(_ note: WaitingNote) {
        notes.insert(note, at: 0)
    }

    /// Puts back changes that an engine could not carry out together with those before them: they go first.
    package mutating func putBack(_ postponed: [any WaitingChange]) {
        changes.insert(contentsOf: postponed.filter { !$0.yields }, at: 0)
        upkeep.insert(contentsOf: postponed.filter(\.yields), at: 0)
    }

    /// Takes the next work off; nil when there is none yet.
    ///
    /// Changes that yield to nobody go first, all that wait up to ``largestGroup``; then those that yield, in groups of
    /// their own, so that who comes meanwhile waits for one group at most; then notes. Whoever stands back so gets a
    /// turn in ``patience`` groups when the others never cease: what is gathered does not gather for ever.
    package mutating func next() -> Work? {
        if let first = notes.first, changes.isEmpty && upkeep.isEmpty || groupsSinceNotes >= Self.patience {
            notes.removeFirst()
            groupsSinceNotes = 0
            return .note(first)
        }
        let yieldsToNobody = changes.isEmpty || groupsSinceUpkeep >= Self.patience
        let isUpkeep = !upkeep.isEmpty && yieldsToNobody
        let group = Array((isUpkeep ? upkeep : changes).prefix(Self.largestGroup))
        guard !group.isEmpty else { return nil }
        if isUpkeep { upkeep.removeFirst(group.count) } else { changes.removeFirst(group.count) }
        groupsSinceUpkeep = isUpkeep || upkeep.isEmpty ? 0 : groupsSinceUpkeep + 1
        if !notes.isEmpty { groupsSinceNotes += 1 }
        return .changes(group)
    }

    /// The most changes of one transaction.
    package static let largestGroup = 256
    private static let patience = 64
}
