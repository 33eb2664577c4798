package import TenureCore

/// Counts attempts to limit password guessing: a few per name and optionally a total per minute.
///
/// A name's window starts with its first attempt. With a total, the number of names per window is bounded and no name
/// is evicted early. Without one, a caller can't use up the attempts of others, and the oldest names are evicted.
package struct AttemptCounter: Sendable {
    private enum Everybody { case all }

    private let perName: Int
    private let total: Int?
    private var names: WindowCounter<Digest>
    private var all = WindowCounter<Everybody>(window: 60, capacity: 1)

    /// The result of an attempt.
    package enum Answer: Sendable, Hashable {
        /// The attempt may be made.
        case admitted
        /// There were too many attempts; the seconds until the next one is allowed.
        case refused(retryAfter: Int64)
    }

    /// Creates an empty ledger.
    ///
    /// - Parameters:
    ///   - perName: How many attempts a name has in a window.
    ///   - total: How many attempts all names have per minute; `nil` for no limit.
    ///   - window: How long a name's attempts count, in seconds.
    package init(perName: Int, total: Int?, window: Int64) {
        self.perName = perName
        self.total = total
        names = WindowCounter(window: window, capacity: total.map { $0 * (Int(window) / 60 + 1) } ?? Self.mostNames)
    }

    private static let mostNames = 50_000

    /// How many names are stored.
    package var size: Int { names.size }

    /// Counts an attempt for a name, unless there were too many.
    package mutating func authenticate(_ name: Digest, at now: Timestamp) -> Answer {
        if names.count(of: name, at: now) >= perName {
            return .refused(retryAfter: names.secondsLeft(of: name, at: now))
        }
        if let total, all.count(of: .all, at: now) >= total {
            return .refused(retryAfter: all.secondsLeft(of: .all, at: now))
        }
        all.add(.all, at: now)
        names.add(name, at: now)
        return .admitted
    }

    /// Removes one attempt that wasn't made after all.
    package mutating func takeBack(_ name: Digest, at now: Timestamp) {
        names.takeBack(name, at: now)
        all.takeBack(.all, at: now)
    }

    /// Clears a name's attempts after the correct password.
    package mutating func forget(_ name: Digest) { names.forget(name) }
}
