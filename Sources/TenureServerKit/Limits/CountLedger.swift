package import TenureCore

/// Counts what happens under names, each in a window of its own: the base of every limit.
///
/// A name's window begins with its first count and lasts so many seconds. No more than so many names are held: beyond
/// it the one whose window began first is forgotten, so that a flood of names costs no memory.
package struct CountLedger<Name: Hashable & Sendable>: Sendable {
    /// How long a name's counts last, in seconds.
    package let window: Int64
    /// How many names are held at most.
    package let capacity: Int

    private struct Count {
        var since: Timestamp
        var number: Int
        /// Which of the openings it was, to tell it from an older window of the same name.
        var opening: UInt64
    }

    private var counts: [Name: Count] = [:]
    private var openings: [(name: Name, opening: UInt64)] = []
    private var first = 0
    private var next: UInt64 = 0

    /// Starts with nothing counted.
    package init(window: Int64, capacity: Int) {
        self.window = window
        self.capacity = capacity
    }

    /// How many names are held.
    package var size: Int { counts.count }

    /// How often the name was counted in its window.
    package func count(of name: Name, at now: Timestamp) -> Int {
        counts[name].map { isOpen($0, at: now) ? $0.number : 0 } ?? 0
    }

    /// Seconds until the name's window is over; 0 when none is open.
    package func secondsLeft(of name: Name, at now: Timestamp) -> Int64 {
        guard let count = counts[name], isOpen(count, at: now) else { return 0 }
        return now.seconds(until: count.since.adding(seconds: window))
    }

    /// Counts once more under the name.
    package mutating func add(_ name: Name, at now: Timestamp) {
        if let count = counts[name], isOpen(count, at: now) {
            counts[name]?.number += 1
            return
        }
        counts[name] = Count(since: now, number: 1, opening: next)
        openings.append((name, next))
        next += 1
        while counts.count > capacity { forgetOldest() }
        if first > 64, first > openings.count / 2 {
            openings.removeFirst(first)
            first = 0
        }
        // Windows that were opened anew leave their old openings behind.
        if openings.count - first > 2 * capacity + 64 { dropStale() }
    }

    /// Counts once less under the name, as long as its window is open.
    package mutating func takeBack(_ name: Name, at now: Timestamp) {
        guard let count = counts[name], isOpen(count, at: now), count.number > 0 else { return }
        counts[name]?.number -= 1
    }

    /// Forgets what was counted under the name.
    package mutating func forget(_ name: Name) { counts[name] = nil }

    private mutating func forgetOldest() {
        guard first < openings.count else { return }
        let oldest = openings[first]
        first += 1
        if counts[oldest.name]?.opening == oldest.opening { counts[oldest.name] = nil }
    }

    private mutating func dropStale() {
        openings = openings[first...].filter { counts[$0.name]?.opening == $0.opening }
        first = 0
    }

    /// Whether a count still runs; one from the future is over, for somebody moved the clock back.
    private func isOpen(_ count: Count, at now: Timestamp) -> Bool {
        count.since <= now && now < count.since.adding(seconds: window)
    }
}
