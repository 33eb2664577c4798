/// What waits for the writer.
package struct WriteQueue {
    /// What the writer does next.
    package enum Work {
        case changes([any WaitingChange])
        case sightings(WaitingSightings)
    }

    private var changes: [any WaitingChange] = []
    private var sightings: [WaitingSightings] = []
    private var groupsSinceSightings = 0

    package init() {}

    /// Queues a change.
    package mutating func add(_ change: any WaitingChange) { changes.append(change) }

    /// Queues sightings.
    package mutating func add(_ sighting: WaitingSightings) { sightings.append(sighting) }

    /// Puts back sightings of which a portion has been written.
    package mutating func putBack(_ sighting: WaitingSightings) {
        sightings.insert(sighting, at: 0)
    }

    /// Puts back changes that an engine could not carry out together with those before them: they go first.
    package mutating func putBack(_ postponed: [any WaitingChange]) {
        changes.insert(contentsOf: postponed, at: 0)
    }

    /// Takes the next work off; nil when there is none yet.
    ///
    /// Changes go first, all that wait up to ``largestGroup``. Sightings get a turn when no change waits, and one in
    /// ``patience`` groups when changes never cease, so that those who gather them do not gather for ever.
    package mutating func next() -> Work? {
        if let first = sightings.first, changes.isEmpty || groupsSinceSightings >= Self.patience {
            sightings.removeFirst()
            groupsSinceSightings = 0
            return .sightings(first)
        }
        guard !changes.isEmpty else { return nil }
        let group = Array(changes.prefix(Self.largestGroup))
        changes.removeFirst(group.count)
        if !sightings.isEmpty { groupsSinceSightings += 1 }
        return .changes(group)
    }

    private static let largestGroup = 256
    private static let patience = 64
}
