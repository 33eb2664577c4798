public import TenureCore

/// A device that used a license recently, as read for one decision.
public struct CountedDevice: Sendable, Hashable {
    /// The characteristic by which the device is recognized; an anonymous device counts as a new one each time.
    public let identity: DeviceIdentity
    /// Until when the device counts; `nil` while it is active.
    public let until: Timestamp?

    /// Creates a counted device from its parts.
    public init(identity: DeviceIdentity, until: Timestamp?) {
        self.identity = identity
        self.until = until
    }

    /// Lists the distinct devices that count: active ones, and released ones whose ``Activation/countsUntil`` is in the
    /// future.
    public static func among(_ activations: [Activation], at now: Timestamp) -> [CountedDevice] {
        var devices: [CountedDevice] = []
        for activation in activations {
            guard activation.isLive || activation.countsUntil.map({ $0 > now }) ?? false else { continue }
            let device = CountedDevice(identity: activation.identity, until: activation.countsUntil)
            if let known = devices.firstIndex(where: { $0.isSame(as: device.identity) }) {
                let other = devices[known].until
                let until = other.flatMap { other in device.until.map { max($0, other) } }
                devices[known] = CountedDevice(identity: device.identity, until: until)
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
    /// How many devices may be active at the same time: the license's own limit, or the policy's; `nil` for no limit.
    public func activationLimit(of license: License) -> Int? { license.terms.activationLimit ?? activationLimit }

    /// How many devices beyond the activation limit may have used a license recently; `nil` for no limit.
    ///
    /// If the policy has the default for its activation limit, a license with a limit of its own has the default for
    /// that one.
    public func deviceChanges(of license: License) -> Int? {
        guard let own = license.terms.activationLimit else { return deviceChanges }
        let isStandard = deviceChanges == Policy.standardDeviceChanges(for: activationLimit)
        return isStandard ? Policy.standardDeviceChanges(for: own) : deviceChanges
    }

    /// Whether recently released devices have to be counted for a new device.
    ///
    /// If none was released recently, counting activations suffices and the devices needn't be read.
    public func countsDevices(of license: License, at now: Timestamp) -> Bool {
        guard let until = license.devicesCountUntil, until > now else { return false }
        return activationLimit(of: license) != nil && deviceChanges(of: license) != nil
    }

    /// Why no further device may be activated: too many different devices used the license recently.
    ///
    /// The result is `nil` if another device is allowed, or if this device is already among the counted ones.
    func obstacle(
        to attempt: License.ActivationAttempt, of license: License, after devices: [CountedDevice], taken: Int,
        at now: Timestamp
    ) -> Reason? {
        guard let limit = activationLimit(of: license), let changes = deviceChanges(of: license) else { return nil }
        let counted = devices.filter { device in device.until.map { $0 > now } ?? true }
        let isKnown = counted.contains { $0.isSame(as: attempt.identity) }
        let toLeave = counted.count - (limit + changes) + 1
        guard !isKnown, toLeave > 0 else { return nil }
        let leaves = counted.compactMap(\.until).sorted()
        return .devicesUsedUp(
            counted.count, taken: taken, of: limit, changes: changes,
            until: leaves.count >= toLeave ? leaves[toLeave - 1] : nil)
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
            released.countsUntil = policy?.countsUntil(releasedAt: now) ?? now.adding(days: Policy.countedDays)
        }
        return released
    }
}
