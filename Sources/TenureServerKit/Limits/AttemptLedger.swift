package import TenureCore

/// Counts attempts, so that nobody can try passwords without end: a few for each name, more for all together.
///
/// A name's count begins anew a window after its first attempt. Where all names together may make so many attempts a
/// minute, the names that a window can hold are bounded, whoever asks: none is forgotten before its time. Without such a
/// bound nobody can shut everybody out, and of very many names the oldest are forgotten.
package struct AttemptLedger: Sendable {
    private enum Everybody { case all }

    private let perName: Int
    private let total: Int?
    private var names: CountLedger<Digest>
    private var all = CountLedger<Everybody>(window: 60, capacity: 1)

    /// What an attempt is told.
    package enum Answer: Sendable, Hashable {
        /// It may be made.
        case admitted
        /// Too many were made; seconds until the next.
        case refused(retryAfter: Int64)
    }

    /// Starts with no attempts.
    /// - Parameters:
    ///   - perName: How many a name has in a window.
    ///   - total: How many all names have together in a minute; nil for no bound.
    ///   - window: How long a name's attempts count, in seconds.
    package init(perName: Int, total: Int?, window: Int64) {
        self.perName = perName
        self.total = total
        names = CountLedger(window: window, capacity: total.map { $0 * (Int(window) / 60 + 1) } ?? Self.mostNames)
    }

    private static let mostNames = 50_000

    /// How many names are held.
    package var size: Int { names.size }

    /// Counts an attempt under a name, unless there were too many.
    package mutating func admit(_ name: Digest, at now: Timestamp) -> Answer {
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

    /// Takes one attempt back that was counted: nothing was tried in the end.
    package mutating func takeBack(_ name: Digest, at now: Timestamp) {
        names.takeBack(name, at: now)
        all.takeBack(.all, at: now)
    }

    /// Forgets a name's attempts: it showed that it knows the password.
    package mutating func forget(_ name: Digest) { names.forget(name) }
}
