/// A device's place in an enrolment: what the device limit counts.
public struct EnrolmentPlace: Sendable, Hashable {
    /// Whether the place counts.
    public enum State: Sendable, Hashable {
        /// A license that is not returned is on the device.
        case taken
        /// It was given back, and what the device has may still play for so long.
        case held(PlayableReach)
        /// Nobody's: the operator freed it, or another device took it.
        case free
    }

    /// Of which enrolment.
    public let enrolment: EnrolmentID
    /// Whose place.
    public let device: Digest
    /// Whether it counts.
    public internal(set) var state: State

    /// Puts a place together. It decides nothing.
    public init(enrolment: EnrolmentID, device: Digest, state: State = .taken) {
        self.enrolment = enrolment
        self.device = device
        self.state = state
    }

    /// Whether it counts against the limit at a moment.
    public func counts(at now: Timestamp) -> Bool {
        switch state {
        case .taken, .held(.unlimited): true
        case .held(.until(let end)): now < end
        case .held(.nothing), .free: false
        }
    }

    /// The same place after the last license on the device was given back, or its device released.
    /// - Parameter reach: How long the device may still play what it has.
    func givenBack(_ reach: PlayableReach) -> EnrolmentPlace {
        guard case .taken = state else { return self }
        var place = self
        place.state = .held(reach)
        return place
    }

    /// Nobody's from now on.
    func freed() -> EnrolmentPlace {
        var place = self
        place.state = .free
        return place
    }
}

/// That a held place was taken by another device before what is on the first one had ended.
public struct EarlyTaking: Sendable, Hashable {
    /// Of which enrolment.
    public let enrolment: EnrolmentID
    /// Whose place was taken.
    public let device: Digest
    /// When.
    public let at: Timestamp

    /// Puts it together.
    public init(enrolment: EnrolmentID, device: Digest, at moment: Timestamp) {
        self.enrolment = enrolment
        self.device = device
        at = moment
    }

    /// For how many days it counts.
    public static let countedDays = 30

    /// The first moment at which it no longer counts.
    public var countsUntil: Timestamp { at.adding(days: Self.countedDays) }
}

/// All places of an enrolment, as a transaction sees them.
public struct EnrolmentPlaces: Sendable, Hashable {
    /// Of which enrolment.
    public let enrolment: EnrolmentID
    /// The places, one for each device that ever had one.
    public let places: [EnrolmentPlace]
    /// The early takings of the last 30 days; older ones do not count.
    public let takings: [EarlyTaking]

    /// Puts them together.
    public init(_ enrolment: EnrolmentID, _ places: [EnrolmentPlace] = [], takings: [EarlyTaking] = []) {
        self.enrolment = enrolment
        self.places = places
        self.takings = takings
    }

    /// How many devices count against the limit.
    public func taken(at now: Timestamp) -> Int { places.count { $0.counts(at: now) } }

    /// Decides whether a device gets a place, and which places and takings that makes: its own place first.
    ///
    /// A device that has a place, held or not, takes no second one. When all places are taken or held, those that are
    /// held the shortest are taken early, as often in 30 days as the policy lets it: one, or more where the limit was
    /// lowered since.
    func take(
        for device: Digest, under policy: ContentPolicy, at now: Timestamp
    ) -> Decision<PlacesTaken> {
        if let taken = taking(device, under: policy, at: now) { return .granted(taken) }
        return .refused(Refusal(full(for: device, under: policy, at: now)))
    }

    /// Why no device gets a content here: none has a place, and no other gets one; nil where one does.
    func obstacle(under policy: ContentPolicy, at now: Timestamp) -> Reason? {
        places.contains { $0.state == .taken } ? nil : obstacle(toAnother: policy, at: now)
    }

    /// Why no device more gets a place, one that never had one; nil where it does.
    public func obstacle(toAnother policy: ContentPolicy, at now: Timestamp) -> Reason? {
        taking(nil, under: policy, at: now) == nil ? full(for: nil, under: policy, at: now) : nil
    }

    private func full(for device: Digest?, under policy: ContentPolicy, at now: Timestamp) -> Reason {
        let moments = places.compactMap(\.heldUntil) + takings.map(\.countsUntil)
        let changes = moments.filter { $0 > now }.sorted().first { taking(device, under: policy, at: $0) != nil }
        return .placesTaken(taken(at: now), of: policy.deviceLimit ?? .max, until: changes)
    }

    /// - Parameter device: Nil for one that never had a place.
    private func taking(
        _ device: Digest?, under policy: ContentPolicy, at now: Timestamp
    ) -> PlacesTaken? {
        let own = places.first { $0.device == device }
        if own?.state == .taken { return PlacesTaken() }
        let mine = device.map { [EnrolmentPlace(enrolment: enrolment, device: $0)] } ?? []
        let counting = places.filter { $0.counts(at: now) }
        guard let limit = policy.deviceLimit, own?.counts(at: now) != true, counting.count >= limit else {
            return PlacesTaken(places: mine)
        }
        let needed = counting.count + 1 - limit
        let held = counting.filter { $0.state != .taken }.sorted { $0.endsBefore($1) }.prefix(needed)
        let recent = takings.count { $0.countsUntil > now }
        guard held.count == needed, policy.deviceChanges.map({ recent + needed <= $0 }) ?? true else { return nil }
        return PlacesTaken(places: mine, early: Array(held), at: now)
    }
}

/// What a device's place makes: the places and takings to save.
struct PlacesTaken: Equatable {
    /// The device's own place, and those that it took early, nobody's now.
    var places: [EnrolmentPlace] = []
    /// The places that it took early, as they were.
    var early: [EnrolmentPlace] = []
    /// The same, to be counted.
    var takings: [EarlyTaking] = []

    init() {}

    init(places: [EnrolmentPlace], early: [EnrolmentPlace] = [], at now: Timestamp = Timestamp(seconds: 0)) {
        self.places = places + early.map { $0.freed() }
        self.early = early
        takings = early.map { EarlyTaking(enrolment: $0.enrolment, device: $0.device, at: now) }
    }
}

extension EnrolmentPlace {
    /// Until when it is held; nil without an end, and when it is not.
    public var heldUntil: Timestamp? { if case .held(let reach) = state { reach.moment } else { nil } }

    fileprivate func endsBefore(_ other: EnrolmentPlace) -> Bool {
        switch (heldUntil, other.heldUntil) {
        case (.some(let one), .some(let two)): one < two
        case (.some, nil): true
        default: false
        }
    }
}

extension Reason {
    static func placesTaken(_ taken: Int, of limit: Int, until moment: Timestamp?) -> Reason {
        Reason(
            .deviceLimitReached, message: "\(taken) devices have this enrolment's contents; \(limit) may.",
            evidence: [
                Evidence("devices", .number(Int64(taken))), Evidence("deviceLimit", .number(Int64(limit))),
            ], changesAt: moment)
    }
}
