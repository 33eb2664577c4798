package import TenureCore

/// Counts attempts, so that nobody can try passwords without end: a few for each name, more for all together.
///
/// A name's count begins anew ``window`` seconds after its first attempt. All names together may make ``total`` attempts
/// a minute, so no more than `total * window / 60` names are ever held, whoever asks.
package struct AttemptLedger: Sendable {
    /// How many attempts a name has in a window.
    let perName: Int
    /// How many attempts all names have together in a minute.
    let total: Int
    /// How long a name's attempts count, in seconds.
    let window: Int64

    private var names: [Digest: Count] = [:]
    private var all = Count(since: Timestamp(seconds: .min), attempts: 0)

    private struct Count: Sendable {
        var since: Timestamp
        var attempts: Int
    }

    /// What an attempt is told.
    package enum Answer: Sendable, Hashable {
        /// It may be made.
        case admitted
        /// Too many were made; seconds until the next.
        case refused(retryAfter: Int64)
    }

    /// Starts with no attempts.
    package init(perName: Int, total: Int, window: Int64) {
        self.perName = perName
        self.total = total
        self.window = window
    }

    /// How many names are held.
    package var size: Int { names.count }

    /// Counts an attempt under a name, unless there were too many.
    package mutating func admit(_ name: Digest, at now: Timestamp) -> Answer {
        if !Self.isOpen(all, for: 60, at: now) {
            all = Count(since: now, attempts: 0)
            names = names.filter { Self.isOpen($0.value, for: window, at: now) }
        }
        var own = names[name] ?? Count(since: now, attempts: 0)
        if !Self.isOpen(own, for: window, at: now) { own = Count(since: now, attempts: 0) }
        if own.attempts >= perName {
            return .refused(retryAfter: now.seconds(until: own.since.adding(seconds: window)))
        }
        if all.attempts >= total { return .refused(retryAfter: now.seconds(until: all.since.adding(seconds: 60))) }
        all.attempts += 1
        own.attempts += 1
        names[name] = own
        return .admitted
    }

    /// Forgets a name's attempts: it showed that it knows the password.
    package mutating func forget(_ name: Digest) {
        names[name] = nil
    }

    /// Whether a count still runs; one from the future is over, for somebody moved the clock back.
    private static func isOpen(_ count: Count, for seconds: Int64, at now: Timestamp) -> Bool {
        count.since <= now && now < count.since.adding(seconds: seconds)
    }
}
