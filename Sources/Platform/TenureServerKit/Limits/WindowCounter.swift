package import TenureCore

/// Counts events by name in windows of fixed length.
///
/// A name's window starts with its first event. Names whose window has ended make room for new ones. At most `capacity`
/// names are stored; the name with the oldest window is evicted first.
///
/// A name is stored as a hash of 64 bits, which takes less memory than, for example, a device's digest. Two names with
/// the same hash would share a count: among 50,000 names, the probability is below 10⁻⁹. Each process has its own seed,
/// so that a caller can't choose such names.
package struct WindowCounter<Name: Hashable & Sendable>: Sendable {
    /// The length of a window in seconds.
    package let window: Int64
    /// The maximum number of stored names.
    package let capacity: Int

    private struct Count {
        var since: Timestamp
        var number: Int
        /// Distinguishes this window from an older one of the same name.
        var opening: UInt64
    }

    /// The counts by the hashes of the names.
    private var counts: [Int: Count] = [:]
    private var openings: [(hash: Int, opening: UInt64)] = []
    private var first = 0
    private var next: UInt64 = 0

    package init(window: Int64, capacity: Int) {
        self.window = window
        self.capacity = capacity
    }

    /// The number of stored names.
    package var size: Int { counts.count }

    /// The count of a name in its current window; 0 if no window is open.
    package func count(of name: Name, at now: Timestamp) -> Int {
        counts[name.hashValue].map { isOpen($0, at: now) ? $0.number : 0 } ?? 0
    }

    /// The seconds until the name's window ends; 0 if no window is open.
    package func secondsLeft(of name: Name, at now: Timestamp) -> Int64 {
        guard let count = counts[name.hashValue], isOpen(count, at: now) else { return 0 }
        return now.seconds(until: count.since.adding(seconds: window))
    }

    /// Adds to the name's count. Starts a new window if no window is open.
    package mutating func add(_ name: Name, _ number: Int = 1, at now: Timestamp) {
        let hash = name.hashValue
        if let count = counts[hash], isOpen(count, at: now) {
            counts[hash]?.number += number
            return
        }
        counts[hash] = Count(since: now, number: number, opening: next)
        openings.append((hash, next))
        next += 1
        forgetEnded(at: now)
        while counts.count > capacity { forgetOldest() }
        if first > 64, first > openings.count / 2 {
            openings.removeFirst(first)
            first = 0
        }
        // A name that starts a new window leaves its earlier entry in `openings`.
        if openings.count - first > 2 * capacity + 64 { dropStale() }
    }

    /// Decrements the name's count if its window is still open.
    package mutating func takeBack(_ name: Name, at now: Timestamp) {
        let hash = name.hashValue
        guard let count = counts[hash], isOpen(count, at: now), count.number > 0 else { return }
        counts[hash]?.number -= 1
    }

    /// Clears the name's count and ends its window.
    package mutating func forget(_ name: Name) { counts[name.hashValue] = nil }

    /// Forgets up to two names whose window has ended.
    ///
    /// Called once for each new name, so that the memory follows the number of open windows and no call takes long.
    private mutating func forgetEnded(at now: Timestamp) {
        for _ in 0..<2 {
            guard first < openings.count else { return }
            let oldest = openings[first]
            if let count = counts[oldest.hash], count.opening == oldest.opening,
                now < count.since.adding(seconds: window)
            {
                return
            }
            forgetOldest()
        }
    }

    private mutating func forgetOldest() {
        guard first < openings.count else { return }
        let oldest = openings[first]
        first += 1
        if counts[oldest.hash]?.opening == oldest.opening { counts[oldest.hash] = nil }
    }

    private mutating func dropStale() {
        openings = openings[first...].filter { counts[$0.hash]?.opening == $0.opening }
        first = 0
    }

    /// Whether a window is open.
    ///
    /// A window that starts in the future isn't open, because the clock has been set back since.
    private func isOpen(_ count: Count, at now: Timestamp) -> Bool {
        count.since <= now && now < count.since.adding(seconds: window)
    }
}
