public import TenureCore

/// A device that used a license recently, as read for one decision.
public struct CountedDevice: Sendable, Hashable {
    /// The characteristic by which the device is recognized; an anonymous device counts as a new one each time.
    public let identity: DeviceIdentity
    /// Until when the device counts against the policy's limit of different devices; `nil` while it is active.
    public let until: Timestamp?

    /// Creates a counted device with these values, which aren't checked.
    public init(identity: DeviceIdentity, until: Timestamp?) {
        self.identity = identity
        self.until = until
    }

    /// Lists the distinct devices that count against the policy's device limit: active ones, and released ones whose
    /// ``Activation/countsUntil`` is in the future.
    public static func among(_ activations: [Activation], at now: Timestamp) -> [CountedDevice] {
        var devices: [CountedDevice] = []
        for activation in activations {
            guard activation.isLive || activation.countsUntil.map({ $0 > now }) ?? false else { continue }
            let device = CountedDevice(identity: activation.identity, until: activation.countsUntil)
            if let existing = devices.firstIndex(where: { $0.isSame(as: device.identity) }) {
                let other = devices[existing].until
                let until = other.flatMap { other in device.until.map { max($0, other) } }
                devices[existing] = CountedDevice(identity: device.identity, until: until)
            } else {
                devices.append(device)
            }
        }
        return devices
    }

    /// Whether this device has the given identity; an anonymous device never matches.
    func isSame(as identity: DeviceIdentity) -> Bool { identity != .anonymous && self.identity.isSame(as: identity) }
}

extension Policy {
    /// How many devices of a license may be active, and how many others may replace them.
    ///
    /// A license may have a limit of its own. If the policy has the default number of changes for its activation limit,
    /// such a license has the default for its own limit.
    public func allowance(of license: License) -> DeviceAllowance {
        guard let own = license.terms.activationLimit else {
            return DeviceAllowance(limit: activationLimit, changes: deviceChanges)
        }
        let isStandard = deviceChanges == DeviceAllowance.standardChanges(for: activationLimit)
        return DeviceAllowance(
            limit: own, changes: isStandard ? DeviceAllowance.standardChanges(for: own) : deviceChanges)
    }

    /// Whether recently released devices have to be counted for a new device.
    ///
    /// If none was released recently, counting activations suffices and the devices needn't be read.
    public func countsDevices(of license: License, at now: Timestamp) -> Bool {
        guard let until = license.devicesCountUntil, until > now else { return false }
        let allowance = allowance(of: license)
        return allowance.limit != nil && allowance.changes != nil
    }

    /// Why no further device may be activated: the activation limit is reached, or too many different devices used the
    /// license recently.
    ///
    /// The result is `nil` if another device is allowed, or if the limit isn't reached and this device is already among
    /// the counted ones.
    func obstacle(
        to attempt: License.ActivationAttempt, of license: License, after devices: [CountedDevice], activeCount: Int,
        at now: Timestamp
    ) -> Reason? {
        let allowance = allowance(of: license)
        if let limit = allowance.reachedLimit(active: activeCount) {
            return .activationLimitReached(activeCount: activeCount, of: limit)
        }
        let counted = devices.filter { device in device.until.map { $0 > now } ?? true }
        if counted.contains(where: { $0.isSame(as: attempt.identity) }) { return nil }
        let recent = counted.compactMap(\.until)
        let use = DeviceAllowance.Use(active: counted.count - recent.count, recent: recent, at: now)
        guard case .changesUsedUp(let limit, let changes, let until)? = allowance.obstacle(after: use) else {
            return nil
        }
        return .devicesUsedUp(
            use.deviceCount, activeCount: activeCount, of: limit, changes: changes, until: until)
    }
}

extension Activation {
    /// Returns the activation in its released state.
    ///
    /// The device still counts for a while, unless the operator released it: a customer who was helped by support
    /// shouldn't lose a device change.
    func released(by releaser: Releaser?, under policy: Policy?, at now: Timestamp) -> Activation {
        var released = self
        released.releasedAt = now
        released.releasedBy = releaser
        if releaser == .device || releaser == .holder {
            released.countsUntil = policy?.countsUntil(releasedAt: now) ?? now.adding(days: DeviceAllowance.countedDays)
        }
        return released
    }
}
