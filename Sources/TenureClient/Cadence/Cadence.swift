package import TenureCore

/// When a client asks its server again, by `Documentation/client.md`; it never reads a clock or a network.
package struct Cadence: Sendable, Hashable {
    /// The smallest gap between two requests, in seconds.
    package static let debounce: Int64 = 300
    /// How old an answer may be before the next look at the app asks again, in seconds, unless the app says otherwise.
    package static let stale: Int64 = 21_600
    /// How near an end makes every look at the app ask again, in seconds.
    package static let eager: Int64 = 86_400
    /// How long before its end a lease is renewed by itself, in seconds; half of a lease that is shorter than twice it.
    package static let ahead: Int64 = 3_600
    /// The smallest gap between two questions of a person, in seconds: a button that is pressed twice asks once.
    package static let floor: Int64 = 10

    /// The one thing to do next.
    package enum Step: Sendable, Hashable {
        /// Ask the server, with one request.
        case refreshNow
        /// Nothing before that moment; nil when nothing will come by itself.
        case sleep(until: Timestamp?)
    }

    /// Who wants to know.
    package enum Occasion: Sendable, Hashable, CaseIterable {
        /// Somebody looks at the app: it was launched, or came to the front.
        case look
        /// Nobody does; the client woke by itself.
        case idle
        /// A person asks for it, having done something about the license: at once, unless the server wants to be left
        /// alone.
        case asked
    }

    /// What there is to ask about.
    package let subject: Subject
    /// When a server last said yes or no; nil when never.
    package let confirmed: Timestamp?
    /// The last request; nil when there was none.
    package let lastTry: LastTry?
    /// When a person last asked; known for as long as the app runs.
    package let lastAsked: ClockReading?
    /// How old an answer may be for a look, in seconds.
    package let patience: Int64

    /// Puts a client's situation together.
    package init(
        _ subject: Subject, confirmed: Timestamp? = nil, lastTry: LastTry? = nil, lastAsked: ClockReading? = nil,
        patience: Int64 = Cadence.stale
    ) {
        self.patience = patience
        self.subject = subject
        self.confirmed = confirmed
        self.lastTry = lastTry
        self.lastAsked = lastAsked
    }

    /// Decides the next step.
    ///
    /// - Parameters:
    ///   - now: Trusted time.
    ///   - reading: The clocks of the device at that moment; gaps between requests are counted by its uptime.
    package func next(on occasion: Occasion, at now: Timestamp, reading: ClockReading) -> Step {
        let wait = lastTry?.wait(for: occasion, at: reading) ?? 0
        switch occasion {
        case .look where wait == 0 && isWorthALook(at: now): return .refreshNow
        case .idle where wait == 0 && subject.due.map { $0 <= now } ?? false: return .refreshNow
        case .asked where wait == 0 && !wasJustAsked(at: reading): return .refreshNow
        case .look, .idle, .asked: break
        }
        let idleWait = lastTry?.wait(for: .idle, at: reading) ?? 0
        return .sleep(until: subject.due.map { max($0, now.adding(seconds: idleWait)) })
    }

    private func wasJustAsked(at reading: ClockReading) -> Bool {
        lastAsked.flatMap { reading.seconds(since: $0) }.map { $0 < Self.floor } ?? false
    }

    private func isWorthALook(at now: Timestamp) -> Bool {
        guard !subject.isOpen, let confirmed else { return true }
        let age = confirmed.seconds(until: now)
        // An answer from the future is from another time than this one.
        if age > patience || age < -ClockMarks.tolerance { return true }
        return [subject.leaseEnd, subject.termEnd].contains { end in
            end.map { now.seconds(until: $0) < Self.eager } ?? false
        }
    }
}

extension Cadence {
    /// What there is to ask a server about.
    package struct Subject: Sendable, Hashable {
        /// When the lease ends; nil without one.
        package let leaseEnd: Timestamp?
        /// When the license's term ends; nil when it is perpetual or not known.
        package let termEnd: Timestamp?
        /// Whether something is missing that only a server can give, so that every look at the app asks for it.
        package let isOpen: Bool
        /// When a client that nobody looks at asks by itself; nil for never.
        package let due: Timestamp?

        private init(leaseEnd: Timestamp? = nil, termEnd: Timestamp? = nil, isOpen: Bool, due: Timestamp?) {
            self.leaseEnd = leaseEnd
            self.termEnd = termEnd
            self.isOpen = isOpen
            self.due = due
        }

        /// Nothing is stored, and all that can be known is.
        package static let nothing = Subject(isOpen: false, due: nil)

        /// Something is missing, such as the product's terms or the time: it is asked for as soon as may be.
        package static func missing(since moment: Timestamp) -> Subject { Subject(isOpen: true, due: moment) }

        /// A lease that permits something.
        package static func lease(_ lease: LeaseFacts, at now: Timestamp) -> Subject {
            let end = lease.expiresAt.timestamp
            let length = max(0, lease.issuedAt.timestamp.seconds(until: end))
            return Subject(
                leaseEnd: end, termEnd: lease.termEnd?.timestamp, isOpen: !lease.holds(at: now),
                due: end.adding(seconds: -min(ahead, length / 2)))
        }

        /// A verified no: asked about again when somebody looks, and when it changes by itself.
        package static func refused(changesAt: Timestamp?) -> Subject { Subject(isOpen: true, due: changesAt) }
    }
}
