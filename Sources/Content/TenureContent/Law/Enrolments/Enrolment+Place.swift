public import TenureCore

extension Enrolment {
    /// A device's place in an enrolment, which counts towards the device limit.
    public struct Place: Sendable, Hashable {
        /// Whether a place counts towards the device limit, and for how long.
        public enum State: Sendable, Hashable {
            /// The device has a license that hasn't been returned.
            case taken
            /// All licenses were returned, but the device may still be able to play for this long.
            case held(ContentGrant.PlayableReach)
            /// The place no longer counts: the operator freed it, or another device took it.
            case free
        }

        /// The enrolment whose device limit the place counts towards.
        public let enrolment: EnrolmentID
        /// The digest of the id of the device that has or had the place.
        public let device: Digest
        /// Whether the place counts, and until when; see ``counts(at:)``.
        public internal(set) var state: State

        /// Creates a place from its parts without checking any rule.
        public init(enrolment: EnrolmentID, device: Digest, state: State = .taken) {
            self.enrolment = enrolment
            self.device = device
            self.state = state
        }

        /// Whether the place counts towards the device limit at this time.
        public func counts(at now: Timestamp) -> Bool {
            switch state {
            case .taken, .held(.unlimited): true
            case .held(.until(let end)): now < end
            case .held(.nothing), .free: false
            }
        }

        /// Returns the place after the device's last license was returned or the device was released.
        ///
        /// - Parameter reach: How long the device may still be able to play.
        func givenBack(_ reach: ContentGrant.PlayableReach) -> Enrolment.Place {
            guard case .taken = state else { return self }
            var place = self
            place.state = .held(reach)
            return place
        }

        /// Returns the place as one that no longer counts.
        func freed() -> Enrolment.Place {
            var place = self
            place.state = .free
            return place
        }
    }

    /// A record that a device took another device's held place before that device's licenses had ended.
    public struct EarlyTaking: Sendable, Hashable {
        /// The enrolment in which the place was taken.
        public let enrolment: EnrolmentID
        /// The digest of the device that lost its place.
        public let device: Digest
        /// When the place was taken.
        public let at: Timestamp

        /// Creates a record from its parts.
        public init(enrolment: EnrolmentID, device: Digest, at moment: Timestamp) {
            self.enrolment = enrolment
            self.device = device
            at = moment
        }

        /// How long a record counts, in days.
        public static let countedDays = 30

        /// The first second at which the record no longer counts.
        public var countsUntil: Timestamp { at.adding(days: Self.countedDays) }
    }

    /// All places of an enrolment and its recent early takings, as read for one transaction.
    public struct Places: Sendable, Hashable {
        /// The enrolment that the places belong to.
        public let enrolment: EnrolmentID
        /// The places, one for each device that ever had one.
        public let places: [Enrolment.Place]
        /// The early takings of the last 30 days; older ones don't count.
        public let takings: [Enrolment.EarlyTaking]

        /// Creates a value from its parts.
        public init(_ enrolment: EnrolmentID, _ places: [Enrolment.Place] = [], takings: [Enrolment.EarlyTaking] = []) {
            self.enrolment = enrolment
            self.places = places
            self.takings = takings
        }

        /// Returns how many devices count towards the limit.
        public func taken(at now: Timestamp) -> Int { places.count { $0.counts(at: now) } }

        /// Decides whether a device gets a place, and which records change as a result.
        ///
        /// A device that already has a taken or held place needs no second one. If all places count, the held ones that end
        /// first are taken early, up to the policy's `deviceChanges` in 30 days. Usually that is one place; it is more than
        /// one if the device limit was lowered.
        func take(
            for device: Digest, under policy: ContentPolicy, at now: Timestamp
        ) -> Decision<SlotsTaken> {
            if let taken = taking(device, under: policy, at: now) { return .granted(taken) }
            return .refused(Refusal(full(for: device, under: policy, at: now)))
        }

        /// Why no device can get the content.
        ///
        /// The result is `nil` if a device already has a place or another device can get one.
        func obstacle(under policy: ContentPolicy, at now: Timestamp) -> Reason? {
            places.contains { $0.state == .taken } ? nil : obstacle(toAnother: policy, at: now)
        }

        /// Why a device that never had a place can't get one; `nil` if it can.
        public func obstacle(toAnother policy: ContentPolicy, at now: Timestamp) -> Reason? {
            taking(nil, under: policy, at: now) == nil ? full(for: nil, under: policy, at: now) : nil
        }

        private func full(for device: Digest?, under policy: ContentPolicy, at now: Timestamp) -> Reason {
            let moments = places.compactMap(\.heldUntil) + takings.map(\.countsUntil)
            let changes = moments.filter { $0 > now }.sorted().first { taking(device, under: policy, at: $0) != nil }
            return .placesTaken(taken(at: now), of: policy.deviceLimit ?? .max, until: changes)
        }

        /// Determines which records change if a device gets a place; `nil` if it can't get one.
        ///
        /// - Parameter device: The device; `nil` for one that never had a place.
        private func taking(
            _ device: Digest?, under policy: ContentPolicy, at now: Timestamp
        ) -> SlotsTaken? {
            let own = places.first { $0.device == device }
            if own?.state == .taken { return SlotsTaken() }
            let mine = device.map { [Enrolment.Place(enrolment: enrolment, device: $0)] } ?? []
            let counting = places.filter { $0.counts(at: now) }
            guard let limit = policy.deviceLimit, own?.counts(at: now) != true, counting.count >= limit else {
                return SlotsTaken(places: mine)
            }
            let needed = counting.count + 1 - limit
            let held = counting.filter { $0.state != .taken }.sorted { $0.endsBefore($1) }.prefix(needed)
            let recent = takings.count { $0.countsUntil > now }
            guard held.count == needed, policy.deviceChanges.map({ recent + needed <= $0 }) ?? true else { return nil }
            return SlotsTaken(places: mine, early: Array(held), at: now)
        }
    }
}

/// The places and early takings to save when a device gets a place.
struct SlotsTaken: Equatable {
    /// The device's own place, and the places that were taken early, which no longer count.
    var places: [Enrolment.Place] = []
    /// The places that were taken early, in their previous state.
    var early: [Enrolment.Place] = []
    /// The records of the places that were taken early.
    var takings: [Enrolment.EarlyTaking] = []

    init() {}

    init(places: [Enrolment.Place], early: [Enrolment.Place] = [], at now: Timestamp = Timestamp(seconds: 0)) {
        self.places = places + early.map { $0.freed() }
        self.early = early
        takings = early.map { Enrolment.EarlyTaking(enrolment: $0.enrolment, device: $0.device, at: now) }
    }
}

extension Enrolment.Place {
    /// Until when the place is held; `nil` if it is held without an end or isn't held.
    public var heldUntil: Timestamp? { if case .held(let reach) = state { reach.moment } else { nil } }

    fileprivate func endsBefore(_ other: Enrolment.Place) -> Bool {
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
            .deviceLimitReached, message: "The enrolment's device limit has been reached (\(taken) of \(limit)).",
            evidence: [
                Evidence("devices", .number(Int64(taken))), Evidence("deviceLimit", .number(Int64(limit))),
            ], changesAt: moment)
    }
}
