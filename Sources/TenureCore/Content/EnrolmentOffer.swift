/// An enrolment that a license may hang on, as a transaction sees it.
public struct EnrolmentOffer: Sendable, Hashable {
    /// The enrolment.
    public let enrolment: Enrolment
    /// The policy of the content under it; nil when it does not cover the content, or no longer.
    public let policy: ContentPolicy?
    /// The places that are taken or held in it.
    public let places: EnrolmentPlaces
    /// Whether other licenses of it, not returned, are on the asking device.
    public let isShared: Bool
    /// Whether it is made by this very request, where access is open.
    public let isNew: Bool

    /// Puts an offer together.
    public init(
        _ enrolment: Enrolment, policy: ContentPolicy?, places: EnrolmentPlaces? = nil, isShared: Bool = false,
        isNew: Bool = false
    ) {
        self.enrolment = enrolment
        self.policy = policy
        self.places = places ?? EnrolmentPlaces(enrolment.id)
        self.isShared = isShared
        self.isNew = isNew
    }

    /// Why nothing is given under it; nil when something is.
    func obstacle(at now: Timestamp) -> Reason? {
        enrolment.obstacle(at: now) ?? (policy == nil ? .enrolmentUnknown : nil)
    }
}

extension [EnrolmentOffer] {
    /// Those that are open and cover the content: that which ends last comes first, then the lowest name.
    func open(at now: Timestamp) -> [EnrolmentOffer] {
        filter { $0.obstacle(at: now) == nil }.sorted { one, other in
            switch (one.enrolment.endsAt, other.enrolment.endsAt) {
            case (let end, let later) where end == later: one.enrolment.id < other.enrolment.id
            case (.some(let end), .some(let later)): end > later
            default: one.enrolment.endsAt == nil
            }
        }
    }
}
