public import TenureCore

extension Enrolment {
    /// A device that has or had licenses of an enrolment, as the device limit counts it.
    public struct Device: Sendable, Hashable {
        /// Whether a device counts towards the device limit, and for how long.
        public enum State: Sendable, Hashable {
            /// The device has a license that hasn't been returned.
            case active
            /// All licenses were returned, but the device may still be able to play for this long.
            case recent(ContentGrant.PlayableReach)
            /// The device no longer counts towards the limit: the operator released it, or another device replaced it.
            case inactive
        }

        /// The enrolment whose device limit the device counts towards.
        public let enrolment: EnrolmentID
        /// The digest of the device's id.
        public let device: Digest
        /// Whether the device counts towards the device limit, and until when; see ``counts(at:)``.
        public internal(set) var state: State

        /// Creates a device from its parts without checking any rule.
        public init(enrolment: EnrolmentID, device: Digest, state: State = .active) {
            self.enrolment = enrolment
            self.device = device
            self.state = state
        }

        /// Until when a device in the state `recent` counts towards the device limit; `nil` if it counts towards it
        /// without an end, or in any other state.
        public var until: Timestamp? { if case .recent(let reach) = state { reach.end } else { nil } }

        /// Whether the device counts towards the device limit at this time.
        public func counts(at now: Timestamp) -> Bool {
            switch state {
            case .active, .recent(.unlimited): true
            case .recent(.until(let end)): now < end
            case .recent(.nothing), .inactive: false
            }
        }

        /// Returns the device after its last license was returned or its holder released it; a device that isn't active
        /// stays as it is.
        ///
        /// - Parameter reach: How long the device may still be able to play.
        func returned(_ reach: ContentGrant.PlayableReach) -> Enrolment.Device {
            guard case .active = state else { return self }
            var device = self
            device.state = .recent(reach)
            return device
        }

        /// Returns the device as one that no longer counts towards the device limit.
        func deactivated() -> Enrolment.Device {
            var device = self
            device.state = .inactive
            return device
        }

        fileprivate func endsBefore(_ other: Enrolment.Device) -> Bool {
            switch (until, other.until) {
            case (.some(let one), .some(let two)): one < two
            case (.some, nil): true
            default: false
            }
        }
    }

    /// A record of a device's replacement by another one while it might still have been able to play.
    public struct DeviceChange: Sendable, Hashable {
        /// The enrolment that both devices belong to.
        public let enrolment: EnrolmentID
        /// The digest of the device that was replaced.
        public let device: Digest
        /// When the device was replaced.
        public let at: Timestamp

        /// Creates a record with these values, which aren't checked.
        public init(enrolment: EnrolmentID, device: Digest, at time: Timestamp) {
            self.enrolment = enrolment
            self.device = device
            at = time
        }

        /// The first second at which the record no longer counts against the policy's `deviceChanges`.
        public var countsUntil: Timestamp { at.adding(days: DeviceAllowance.countedDays) }
    }

    /// All devices of an enrolment and its device changes of the last 30 days, as read for one transaction.
    public struct Devices: Sendable, Hashable {
        /// The enrolment that the devices belong to.
        public let enrolment: EnrolmentID
        /// The devices, including those that no longer count towards the device limit.
        public let devices: [Enrolment.Device]
        /// The device changes of the last 30 days; older ones don't count against the policy's `deviceChanges`.
        public let changes: [Enrolment.DeviceChange]

        /// Creates a value from the rows that were read for an enrolment.
        public init(
            _ enrolment: EnrolmentID, _ devices: [Enrolment.Device] = [], changes: [Enrolment.DeviceChange] = []
        ) {
            self.enrolment = enrolment
            self.devices = devices
            self.changes = changes
        }

        /// Returns how many devices count towards the limit.
        public func count(at now: Timestamp) -> Int { devices.count { $0.counts(at: now) } }

        /// Decides whether a device becomes active, and which records change as a result.
        ///
        /// A device that already counts towards the limit may always become active. If the limit is reached, devices in
        /// the state `recent` are replaced, those that stop counting towards it first, up to the policy's
        /// `deviceChanges` in 30 days. Usually, one device is replaced; there are more only if the limit was lowered.
        func add(_ device: Digest, under policy: ContentPolicy, at now: Timestamp) -> Decision<AddedDevice> {
            let own = devices.first { $0.device == device }
            if own?.state == .active { return .granted(AddedDevice()) }
            let added = [Enrolment.Device(enrolment: enrolment, device: device)]
            if own?.counts(at: now) == true { return .granted(AddedDevice(devices: added)) }
            if let obstacle = obstacle(toAnother: policy, at: now) { return .refused(Refusal(obstacle)) }
            let replaced = devices.filter { $0.counts(at: now) && $0.state != .active }
                .sorted { $0.endsBefore($1) }
                .prefix(policy.allowance.neededChanges(after: use(at: now)))
            return .granted(AddedDevice(devices: added, replaced: Array(replaced), at: now))
        }

        /// Why no device can get the content.
        ///
        /// The result is `nil` if a device is active already or another device can become active.
        func obstacle(under policy: ContentPolicy, at now: Timestamp) -> Reason? {
            devices.contains { $0.state == .active } ? nil : obstacle(toAnother: policy, at: now)
        }

        /// Why a device that doesn't count towards the limit yet can't become active; `nil` if such a device can.
        public func obstacle(toAnother policy: ContentPolicy, at now: Timestamp) -> Reason? {
            let use = use(at: now)
            return switch policy.allowance.obstacle(after: use) {
            case nil: nil
            case .limitReached(let limit)?: .deviceLimitReached(use.deviceCount, of: limit, until: nil)
            case .changesUsedUp(let limit, _, let until)?:
                .deviceLimitReached(use.deviceCount, of: limit, until: until)
            }
        }

        private func use(at now: Timestamp) -> DeviceAllowance.Use {
            let counting = devices.filter { $0.counts(at: now) }
            let recent = counting.filter { $0.state != .active }.map(\.until)
            return DeviceAllowance.Use(
                active: counting.count - recent.count, recent: recent, changes: changes.map(\.countsUntil), at: now)
        }
    }
}

/// The devices and changes to save when a device becomes active.
struct AddedDevice: Equatable {
    /// The device that becomes active, and the devices that it replaces, which no longer count towards the limit.
    var devices: [Enrolment.Device] = []
    /// The replaced devices as they were before.
    var replaced: [Enrolment.Device] = []
    /// The records of the replacements, which count against the policy's `deviceChanges`.
    var changes: [Enrolment.DeviceChange] = []

    init() {}

    init(
        devices: [Enrolment.Device], replaced: [Enrolment.Device] = [], at now: Timestamp = Timestamp(seconds: 0)
    ) {
        self.devices = devices + replaced.map { $0.deactivated() }
        self.replaced = replaced
        changes = replaced.map { Enrolment.DeviceChange(enrolment: $0.enrolment, device: $0.device, at: now) }
    }
}

extension Reason {
    fileprivate static func deviceLimitReached(_ devices: Int, of limit: Int, until time: Timestamp?) -> Reason {
        Reason(
            .deviceLimitReached, message: "The enrolment's device limit has been reached (\(devices) of \(limit)).",
            evidence: [
                Evidence("devices", .number(Int64(devices))), Evidence("deviceLimit", .number(Int64(limit))),
            ], changesAt: time)
    }
}
