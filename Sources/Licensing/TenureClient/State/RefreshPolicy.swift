package import TenureCore

/// Decides when a client contacts its server again, as described in `Documentation/client.md`.
///
/// It is a pure function of its properties and arguments and never reads a clock or uses the network.
package struct RefreshPolicy: Sendable, Hashable {
    /// The minimum interval after a request that the server responded to, in seconds.
    package static let debounce: Int64 = 300
    /// How old a response may be, in seconds, before opening the app triggers a request, by default.
    package static let stale: Int64 = 21_600
    /// If the lease or the license's term ends within this many seconds, opening the app always triggers a request.
    package static let eager: Int64 = 86_400
    /// How long before its end a lease is renewed automatically, in seconds; at most half of the lease's length.
    package static let ahead: Int64 = 3_600
    /// The minimum interval between two requests by the user, in seconds; it absorbs double clicks.
    package static let floor: Int64 = 10

    /// What to do next.
    package enum Step: Sendable, Hashable {
        /// Contact the server.
        case refreshNow
        /// Do nothing before this time; `nil` if nothing is due.
        case sleep(until: Timestamp?)
    }

    /// Why the client considers a request.
    package enum Occasion: Sendable, Hashable, CaseIterable {
        /// The user is looking at the app: it was launched or became active.
        case look
        /// A timer fired; the user may not be looking at the app.
        case idle
        /// A timer fired while the app is in the foreground and the user isn't entitled.
        case waiting
        /// The system reports that the network is available.
        case online
        /// The user asked for a check, which is made at once unless the server asked to wait.
        case asked
    }

    package let subject: Subject
    /// When a server last sent a verified response, whether a success or a refusal; `nil` if never.
    package let confirmed: Timestamp?
    /// The last request; `nil` if there was none.
    package let lastTry: LastTry?
    /// When the user last requested a check; `nil` if never since the app was started.
    package let lastAsked: ClockReading?
    /// The age in seconds from which a response is stale when the user looks at the app.
    package let maximumAge: Int64

    package init(
        _ subject: Subject, confirmed: Timestamp? = nil, lastTry: LastTry? = nil, lastAsked: ClockReading? = nil,
        maximumAge: Int64 = RefreshPolicy.stale
    ) {
        self.maximumAge = maximumAge
        self.subject = subject
        self.confirmed = confirmed
        self.lastTry = lastTry
        self.lastAsked = lastAsked
    }

    /// Decides the next step.
    ///
    /// - Parameters:
    ///   - now: Trusted time.
    ///   - reading: The device's clocks at that time; intervals between requests are measured by uptime.
    package func next(on occasion: Occasion, at now: Timestamp, reading: ClockReading) -> Step {
        let wait = lastTry?.wait(for: occasion, at: reading) ?? 0
        switch occasion {
        case .look where wait == 0 && isWorthALook(at: now): return .refreshNow
        case .online where wait == 0 && lastTry?.unanswered != nil && isWorthALook(at: now): return .refreshNow
        case .idle where wait == 0 && subject.due.map { $0 <= now } ?? false: return .refreshNow
        case .waiting where wait == 0 && subject.due.map { $0 <= now } ?? false: return .refreshNow
        case .asked where wait == 0 && !wasJustAsked(at: reading): return .refreshNow
        case .look, .idle, .waiting, .online, .asked: break
        }
        let timer: Occasion = occasion == .waiting ? .waiting : .idle
        let wakeUp = now.adding(seconds: lastTry?.wait(for: timer, at: reading) ?? 0)
        return .sleep(until: subject.due.map { max($0, wakeUp) })
    }

    private func wasJustAsked(at reading: ClockReading) -> Bool {
        lastAsked.flatMap { reading.seconds(since: $0) }.map { $0 < Self.floor } ?? false
    }

    private func isWorthALook(at now: Timestamp) -> Bool {
        guard !subject.isOpen, let confirmed else { return true }
        let age = confirmed.seconds(until: now)
        // A response dated in the future was recorded while the clock was wrong, so its age is meaningless.
        if age > maximumAge || age < -ClockMarks.tolerance { return true }
        return [subject.leaseEnd, subject.termEnd].contains { end in
            end.map { now.seconds(until: $0) < Self.eager } ?? false
        }
    }
}

extension RefreshPolicy {
    /// What the client's next request is about: a lease to renew, a refusal to check again, a trial, or missing data.
    package struct Subject: Sendable, Hashable {
        /// When the lease ends; `nil` if there is no lease.
        package let leaseEnd: Timestamp?
        /// When the license's term ends; `nil` if it is perpetual or unknown.
        package let termEnd: Timestamp?
        /// Whether opening the app always triggers a request: data is missing, the lease has lapsed, or the server
        /// refused the license.
        package let isOpen: Bool
        /// When the client makes a request on its own; `nil` for never.
        package let due: Timestamp?

        private init(leaseEnd: Timestamp? = nil, termEnd: Timestamp? = nil, isOpen: Bool, due: Timestamp?) {
            self.leaseEnd = leaseEnd
            self.termEnd = termEnd
            self.isOpen = isOpen
            self.due = due
        }

        /// No license is stored, and nothing is missing, so no request is due.
        package static let nothing = Subject(isOpen: false, due: nil)

        /// Something is missing, such as the product's terms or the time, and is requested as soon as allowed.
        package static func missing(since time: Timestamp) -> Subject { Subject(isOpen: true, due: time) }

        /// A running trial, which is requested once a day, because the vendor may have extended it.
        package static func trial(confirmed: Moment?) -> Subject {
            Subject(isOpen: false, due: confirmed?.timestamp.adding(days: 1))
        }

        /// An active or fallback lease, which is renewed before it ends.
        package static func lease(_ lease: LeaseFacts, at now: Timestamp) -> Subject {
            let end = lease.expiresAt.timestamp
            let length = max(0, lease.issuedAt.timestamp.seconds(until: end))
            return Subject(
                leaseEnd: end, termEnd: lease.termEnd?.timestamp, isOpen: !lease.holds(at: now),
                due: end.adding(seconds: -min(ahead, length / 2)))
        }

        /// A verified refusal, which is checked again when the user opens the app and when it is due to change.
        package static func refused(changesAt: Timestamp?) -> Subject { Subject(isOpen: true, due: changesAt) }
    }
}
