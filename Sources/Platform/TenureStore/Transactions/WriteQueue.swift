/// The changes and lossy updates that are queued for the writer thread.
package struct WriteQueue {
    /// The writer's next piece of work.
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

    package mutating func add(_ change: any WaitingChange) {
        if change.yields { upkeep.append(change) } else { changes.append(change) }
    }

    package mutating func add(_ note: WaitingNote) { notes.append(note) }

    /// Returns a partly written lossy update to the front of the queue.
    package mutating func putBack(_ note: WaitingNote) {
        notes.insert(note, at: 0)
    }

    /// Returns changes to the front of the queue because they couldn't run in the same transaction as those before
    /// them.
    package mutating func putBack(_ postponed: [any WaitingChange]) {
        changes.insert(contentsOf: postponed.filter { !$0.yields }, at: 0)
        upkeep.insert(contentsOf: postponed.filter(\.yields), at: 0)
    }

    /// Removes and returns the next work; `nil` if the queue is empty.
    ///
    /// The order is:
    /// - Ordinary changes, up to ``largestGroup`` at once.
    /// - Yielding changes, in groups of their own. A change that arrives meanwhile waits for one group at most.
    /// - Lossy updates.
    ///
    /// While ordinary changes keep coming, yielding changes and lossy updates still get a turn after 64 groups
    /// (``groupLimit``), so that they don't pile up.
    package mutating func next() -> Work? {
        if let first = notes.first, changes.isEmpty && upkeep.isEmpty || groupsSinceNotes >= Self.groupLimit {
            notes.removeFirst()
            groupsSinceNotes = 0
            return .note(first)
        }
        let yieldsToNobody = changes.isEmpty || groupsSinceUpkeep >= Self.groupLimit
        let isUpkeep = !upkeep.isEmpty && yieldsToNobody
        let group = Array((isUpkeep ? upkeep : changes).prefix(Self.largestGroup))
        guard !group.isEmpty else { return nil }
        if isUpkeep { upkeep.removeFirst(group.count) } else { changes.removeFirst(group.count) }
        groupsSinceUpkeep = isUpkeep || upkeep.isEmpty ? 0 : groupsSinceUpkeep + 1
        if !notes.isEmpty { groupsSinceNotes += 1 }
        return .changes(group)
    }

    /// The maximum number of changes in one transaction.
    package static let largestGroup = 256
    private static let groupLimit = 64
}
