import TenureCore

extension Enrolment {
    /// An enrolment that a license may be issued under, as read for one transaction.
    public struct Offer: Sendable, Hashable {
        /// The enrolment, or the one to create if ``isNew``.
        public let enrolment: Enrolment
        /// The item's policy under the enrolment; `nil` if the enrolment doesn't cover the item.
        public let policy: ContentPolicy?
        /// The enrolment's devices, which decide whether another device may become active.
        public let devices: Enrolment.Devices
        /// Whether the requesting device has other licenses of the enrolment that haven't been returned.
        public let isShared: Bool
        /// Whether this request creates the enrolment, because access is open.
        public let isNew: Bool

        /// Creates an offer with these values, which aren't checked; without `devices`, the enrolment has no devices.
        public init(
            _ enrolment: Enrolment, policy: ContentPolicy?, devices: Enrolment.Devices? = nil, isShared: Bool = false,
            isNew: Bool = false
        ) {
            self.enrolment = enrolment
            self.policy = policy
            self.devices = devices ?? Enrolment.Devices(enrolment.id)
            self.isShared = isShared
            self.isNew = isNew
        }

        /// Why no license can be issued or renewed under the enrolment now; `nil` if one can.
        func obstacle(at now: Timestamp) -> Reason? {
            enrolment.obstacle(at: now) ?? (policy == nil ? .enrolmentUnknown : nil)
        }
    }
}

extension [Enrolment.Offer] {
    /// Returns the enrolments that allow a license now, the longest-lasting first; ties are in the order of their ids.
    func open(at now: Timestamp) -> [Enrolment.Offer] {
        filter { $0.obstacle(at: now) == nil }.sorted { one, other in
            switch (one.enrolment.endsAt, other.enrolment.endsAt) {
            case (let end, let later) where end == later: one.enrolment.id < other.enrolment.id
            case (.some(let end), .some(let later)): end > later
            default: one.enrolment.endsAt == nil
            }
        }
    }
}
