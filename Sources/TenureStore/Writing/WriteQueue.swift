/// What waits for the writer.
package struct WriteQueue {
    /// What the writer does next.
    package enum Work {
        case changes([any WaitingChange])
        case sightings(WaitingSightings)
    }

    private var changes: [any WaitingChange] = []
    private var upkeep: [any WaitingChange] = []
    private var sightings: [WaitingSightings] = []
    private var groupsSinceUpkeep = 0
    private var groupsSinceSightings = 0

    package init() {}

    /// Queues a change.
    package mutating func add(_ change: any WaitingChange) {
        if change.yields { upkeep.append(change) } else { changes.append(change) }
    }

    /// Queues sightings.
    package mutating func add(_ sighting: WaitingSightings) { sightings.append(sighting) }

    /// Puts back sightings of which a portion has been written.
    package mutating func putBack(_ sighting: WaitingSightings) {
        sightings.insert(sighting, at: 0)
    }

    /// Puts back changes that an engine could not carry out together with those before them: they go first.
    package mutating func putBack(_ postponed: [any WaitingChange]) {
        changes.insert(contentsOf: postponed.filter { !$0.yields }, at: 0)
        upkeep.insert(contentsOf: postponed.filter(\.yields), at: 0)
    }

    /// Takes the next work off; nil when there is none yet.
    ///
    /// Changes that yield to nobody go first, all that wait up to ``largestGroup``; then those that yield, in groups of
    /// their own, so that who comes meanwhile waits for one group at most; then sightings. Whoever stands back so gets a
    /// turn in ``patience`` groups when the others never cease: what is gathered does not gather for ever.
    package mutating func next() -> Work? {
        if let first = sightings.first, changes.isEmpty && upkeep.isEmpty || groupsSinceSightings >= Self.patience {
            sightings.removeFirst()
            groupsSinceSightings = 0
            return .sightings(first)
        }
        let yieldsToNobody = changes.isEmpty || groupsSinceUpkeep >= Self.patience
        let isUpkeep = !upkeep.isEmpty && yieldsToNobody
        let group = Array((isUpkeep ? upkeep : changes).prefix(Self.largestGroup))
        guard !group.isEmpty else { return nil }
        if isUpkeep { upkeep.removeFirst(group.count) } else { changes.removeFirst(group.count) }
        groupsSinceUpkeep = isUpkeep || upkeep.isEmpty ? 0 : groupsSinceUpkeep + 1
        if !sightings.isEmpty { groupsSinceSightings += 1 }
        return .changes(group)
    }

    /// The most changes of one transaction.
    package static let largestGroup = 256
    private static let patience = 64
}
