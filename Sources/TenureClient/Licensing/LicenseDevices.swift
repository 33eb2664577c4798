public import Foundation

/// The devices on which the license is activated.
public struct LicenseDevices: Sendable, Hashable {
    /// One of them.
    public struct Device: Sendable, Hashable, Identifiable {
        /// Names its activation.
        public let id: String
        /// What it calls itself; may be empty.
        public let name: String
        /// When it was activated.
        public let activatedAt: Date
        /// When it last asked the server.
        public let lastSeenAt: Date
        /// Whether it is the one this runs on.
        public let isThisOne: Bool

        /// Puts a device together, for previews and tests.
        public init(id: String, name: String, activatedAt: Date, lastSeenAt: Date, isThisOne: Bool = false) {
            self.id = id
            self.name = name
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
            self.isThisOne = isThisOne
        }
    }

    /// The devices, those seen last first; at most 100.
    public let devices: [Device]
    /// How many there may be; nil for no limit.
    public let limit: Int?
    /// How many more the holder may release within a year; nil when only the vendor may.
    public let releasesLeft: Int?
    /// When the next one may be released; nil when one may be now.
    public let nextRelease: Date?

    /// Puts a list together, for previews and tests.
    public init(devices: [Device], limit: Int? = nil, releasesLeft: Int? = nil, nextRelease: Date? = nil) {
        self.devices = devices
        self.limit = limit
        self.releasesLeft = releasesLeft
        self.nextRelease = nextRelease
    }

    init(_ held: HeldPlaces, here activation: String) {
        devices = held.places.map { place in
            Device(
                id: place.activation, name: place.name, activatedAt: Date(place.activatedAt.timestamp),
                lastSeenAt: Date(place.lastSeenAt.timestamp), isThisOne: place.activation == activation)
        }
        limit = held.limit
        releasesLeft = held.releasesLeft
        nextRelease = held.nextRelease.map { Date($0.timestamp) }
    }
}

/// What came of asking for the license's devices.
public enum LicenseDevicesAnswer: Sendable, Hashable {
    /// The server lists them.
    case listed(LicenseDevices)
    /// The server said no, and why; or there is no license here, or none that could show a lease.
    case refused(Explanation)
    /// Nobody could be asked, and why.
    case unreached(Explanation)
}

extension LicenseManager {
    /// Lists the devices on which the license is activated; over the Tenure dialect.
    ///
    /// - Returns: `.listed`; `.refused`, there is no license here, or the server says no; `.unreached`, also over
    ///   Keylight, which has no such list.
    public func devices() async -> LicenseDevicesAnswer {
        await listed()
    }

    /// Releases another device, so that one more may be activated: also one that is lost or broken. The device learns why when
    /// it asks next, and the vendor can undo it.
    ///
    /// - Returns: `.listed`, the devices that are left; `.refused`, such as `self_release_off`, `self_release_cooldown`,
    ///   `self_release_used_up`; `.unreached`.
    public func release(_ device: LicenseDevices.Device) async -> LicenseDevicesAnswer {
        await listed(releasing: device.id)
    }

    private func listed(releasing other: String? = nil) async -> LicenseDevicesAnswer {
        let answer = await engine.devices(releasing: other)
        adopt(await engine.stand())
        return answer
    }
}
