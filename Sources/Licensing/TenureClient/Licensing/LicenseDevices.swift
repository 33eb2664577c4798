public import Foundation

/// The devices on which the license is activated.
public struct LicenseDevices: Sendable, Hashable {
    /// A device on which the license is activated.
    public struct Device: Sendable, Hashable, Identifiable {
        /// The id of the device's activation.
        public let id: String
        /// The device's name; may be empty.
        public let name: String
        /// When the license was activated on the device.
        public let activatedAt: Date
        /// When the device last contacted the server.
        public let lastSeenAt: Date
        /// Whether this code runs on the device.
        public let isThisOne: Bool

        /// Creates a device, for previews and tests.
        public init(id: String, name: String, activatedAt: Date, lastSeenAt: Date, isThisOne: Bool = false) {
            self.id = id
            self.name = name
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
            self.isThisOne = isThisOne
        }
    }

    /// The devices, most recently seen first; at most 100.
    public let devices: [Device]
    /// The maximum number of devices; `nil` if there is no limit.
    public let limit: Int?
    /// How many more devices the user may release within a year; `nil` if only the vendor may.
    public let releasesLeft: Int?
    /// When the user may release the next device; `nil` if there is no wait.
    public let nextRelease: Date?

    /// Creates a list, for previews and tests.
    public init(devices: [Device], limit: Int? = nil, releasesLeft: Int? = nil, nextRelease: Date? = nil) {
        self.devices = devices
        self.limit = limit
        self.releasesLeft = releasesLeft
        self.nextRelease = nextRelease
    }

    init(_ held: ActivatedDevices, here activation: String) {
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

/// The result of a request for the license's devices.
public enum LicenseDevicesAnswer: Sendable, Hashable {
    /// The devices; if the request released a device, it isn't in the list any more.
    case listed(LicenseDevices)
    /// The server refused, or no license with a lease is stored here.
    case refused(Explanation)
    /// The server couldn't be reached, for the given reasons.
    case unreached(Explanation)
}

extension LicenseManager {
    /// Fetches the devices on which the license is activated; available over the Tenure dialect only.
    ///
    /// - Returns: `.listed`; `.refused` if the server refuses or no license is stored here; `.unreached`, which is also
    ///   the answer over Keylight.
    public func devices() async -> LicenseDevicesAnswer {
        await listed()
    }

    /// Releases another device, for example one that is lost, so that the license can be activated elsewhere.
    ///
    /// The released device learns the reason with its next request. The vendor can undo the release.
    ///
    /// - Returns: `.listed` with the remaining devices; `.refused` with a reason such as `self_release_off`,
    ///   `self_release_cooldown` or `self_release_used_up`; `.unreached`.
    public func release(_ device: LicenseDevices.Device) async -> LicenseDevicesAnswer {
        await listed(releasing: device.id)
    }

    private func listed(releasing other: String? = nil) async -> LicenseDevicesAnswer {
        let answer = await engine.devices(releasing: other)
        adopt(await engine.stand())
        return answer
    }
}
