package import TenureCore

/// When devices were last seen, in a hash table that takes 24 bytes for each of its slots.
///
/// Under load, most of the server's memory is this table. A dictionary would take about twice as much, and leave its
/// old storage behind each time it grows.
package struct LastSeenTable: Sendable {
    /// An activation, and when its device was last seen.
    package typealias Entry = (key: ActivationID, value: Timestamp)

    /// The slots of the hash table; their number is a power of two. An entry is in the first free slot from the slot
    /// that its hash selects.
    private var slots: [Entry] = []
    /// The number of activations that have an entry.
    package private(set) var count = 0

    package init() {}

    /// Records when a device was seen; does nothing if `limit` other devices are recorded.
    package mutating func record(_ activation: ActivationID, at now: Timestamp, limit: Int) {
        if slots.isEmpty { slots = Self.empty(Self.fewestSlots) }
        var slot = slot(of: activation)
        if slots[slot].value == Self.free {
            guard count < limit else { return }
            if count >= slots.count / 8 * 7 {
                grow()
                slot = self.slot(of: activation)
            }
            count += 1
        }
        slots[slot] = (activation, max(now, Self.earliest))
    }

    /// Removes and returns all entries, sorted by activation.
    package mutating func removeAll() -> [Entry] {
        var entries = slots
        // Filtering and sorting in place avoids a second table of this size.
        (slots, count) = ([], 0)
        entries.removeAll { $0.value == Self.free }
        entries.sort { one, other in (one.key.high, one.key.low) < (other.key.high, other.key.low) }
        return entries
    }

    /// The slot of an activation, or the free slot for it if it has none.
    private func slot(of activation: ActivationID) -> Int {
        let mask = slots.count - 1
        var slot = activation.hashValue & mask
        while slots[slot].value != Self.free, slots[slot].key != activation { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = Self.empty(old.count * 2)
        for entry in old where entry.value != Self.free { slots[slot(of: entry.key)] = entry }
    }

    private static func empty(_ count: Int) -> [Entry] {
        Array(repeating: (ActivationID(high: 0, low: 0), free), count: count)
    }

    private static var fewestSlots: Int { 1024 }
    /// Marks a free slot; no device can be seen at this time.
    private static var free: Timestamp { Timestamp(seconds: .min) }
    private static var earliest: Timestamp { Timestamp(seconds: .min + 1) }
}
