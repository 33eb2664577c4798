package import TenureCore

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
