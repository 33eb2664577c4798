package import TenureCore

/// Limits password guessing: a few attempts per name and window, and optionally a total per minute.
///
/// A name's window starts with its first attempt. A total bounds the number of names, so no name is evicted early. But
/// one caller can use up the attempts of all names. Without a total, that can't happen, but beyond 50,000 names the
/// oldest ones are evicted.
package struct AttemptCounter: Sendable {
    private enum Everybody { case all }

    private let perName: Int
    private let total: Int?
    private var names: WindowCounter<Digest>
    private var all = WindowCounter<Everybody>(window: 60, capacity: 1)

    /// The result of a request for an attempt.
    package enum Answer: Sendable, Hashable {
        /// The attempt has been counted and may be made.
        case admitted
        /// There were too many attempts. The next attempt is allowed after this many seconds.
        case refused(retryAfter: Int64)
    }

    /// Creates a counter without attempts.
    ///
    /// - Parameters:
    ///   - perName: The maximum number of attempts per name and window.
    ///   - total: The maximum number of attempts per minute for all names; `nil` for no limit.
    ///   - window: The length of a name's window in seconds.
    package init(perName: Int, total: Int?, window: Int64) {
        self.perName = perName
        self.total = total
        names = WindowCounter(window: window, capacity: total.map { $0 * (Int(window) / 60 + 1) } ?? Self.mostNames)
    }

    private static let mostNames = 50_000

    /// The number of stored names.
    package var size: Int { names.size }

    /// Counts an attempt for a name. A refused attempt isn't counted.
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

    /// Subtracts an attempt that was admitted but not made.
    package mutating func takeBack(_ name: Digest, at now: Timestamp) {
        names.takeBack(name, at: now)
        all.takeBack(.all, at: now)
    }

    /// Clears a name's attempts after the correct password.
    package mutating func forget(_ name: Digest) { names.forget(name) }
}
