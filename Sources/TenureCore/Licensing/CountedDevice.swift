/// A device that was used under a license lately, as one decision sees it.
public struct CountedDevice: Sendable, Hashable {
    /// By what it is known; an anonymous device is another one each time.
    public let identity: DeviceIdentity
    /// Until when it counts; nil while it holds a place.
    public let until: Timestamp?

    /// Puts it together.
    public init(identity: DeviceIdentity, until: Timestamp?) {
        self.identity = identity
        self.until = until
    }

    /// Counts the devices of activations: those that hold a place, and those that gave one back and still count.
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

    /// Whether it is the device of an identity; nobody knows an anonymous one again.
    func isSame(as identity: DeviceIdentity) -> Bool { identity != .anonymous && self.identity.isSame(as: identity) }
}

extension Policy {
    /// Whether a device that is new to a license has to be counted beside those that gave back a place lately. Where none
    /// did, the places alone count, and nobody need be looked for.
    public func countsDevices(of license: License, at now: Timestamp) -> Bool {
        guard activationLimit != nil, deviceChanges != nil, let until = license.devicesCountUntil else { return false }
        return until > now
    }

    /// Why no further device may take a place: as many different ones as the policy allows were used lately. Nil when one
    /// may, and for a device that is among them.
    func obstacle(
        to attempt: ActivationAttempt, after devices: [CountedDevice], taken: Int, at now: Timestamp
    ) -> Reason? {
        guard let limit = activationLimit, let changes = deviceChanges else { return nil }
        let counted = devices.filter { device in device.until.map { $0 > now } ?? true }
        let own = [attempt.identity, attempt.former].compactMap(\.self)
        let isKnown = counted.contains { device in own.contains { device.isSame(as: $0) } }
        let toLeave = counted.count - (limit + changes) + 1
        guard !isKnown, toLeave > 0 else { return nil }
        let leaves = counted.compactMap(\.until).sorted()
        return .devicesUsedUp(
            counted.count, taken: taken, of: limit, changes: changes,
            until: leaves.count >= toLeave ? leaves[toLeave - 1] : nil)
    }
}

extension Activation {
    /// The activation with its place given back. Its device counts for a while then, except after the operator's release:
    /// whoever was helped has used up nothing.
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
