public import TenureFoundation
import TenureLicensing

/// The devices on which the license is activated.
public struct LicenseDevices: Sendable, Hashable {
    /// A device on which the license is activated.
    public struct Device: Sendable, Hashable, Identifiable {
        /// The id of the device's activation.
        public let id: String
        /// The device's name; may be empty.
        public let name: String
        /// The device's operating system, such as `macOS`; `nil` if the server doesn't know it.
        public let system: String?
        /// The version of the operating system, such as `15.1`; `nil` if the server doesn't know it.
        public let systemVersion: String?
        /// When the license was activated on the device.
        public let activatedAt: Date
        /// When the device last contacted the server.
        public let lastSeenAt: Date
        /// Whether this code runs on the device.
        public let isThisOne: Bool

        /// Creates a device, for previews and tests.
        public init(
            id: String, name: String, system: String? = nil, systemVersion: String? = nil, activatedAt: Date,
            lastSeenAt: Date, isThisOne: Bool = false
        ) {
            self.id = id
            self.name = name
            self.system = system
            self.systemVersion = systemVersion
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
            self.isThisOne = isThisOne
        }
    }

    /// The devices, most recently seen first; at most 100.
    public let devices: [Device]
    /// The number of devices on which the license is activated, including those that aren't listed.
    public let total: Int
    /// The maximum number of devices; `nil` if there is no limit.
    public let limit: Int?
    /// How many more devices the user may release under the policy's limit for 365 days; `nil` if only the vendor may
    /// release devices.
    public let releasesLeft: Int?
    /// When the user may release the next device; `nil` if there is no wait.
    public let nextRelease: Date?

    /// How many more devices there are than ``devices`` lists.
    public var unlistedCount: Int { total - devices.count }

    /// Creates a list, for previews and tests; `total` is at least the number of `devices`.
    public init(
        devices: [Device], total: Int = 0, limit: Int? = nil, releasesLeft: Int? = nil, nextRelease: Date? = nil
    ) {
        self.devices = devices
        self.total = max(total, devices.count)
        self.limit = limit
        self.releasesLeft = releasesLeft
        self.nextRelease = nextRelease
    }

    init(_ list: ActivatedDevices, here activation: String) {
        devices = list.places.map { device in
            Device(
                id: device.activation, name: device.name, system: device.system?.name,
                systemVersion: device.system?.version,
                activatedAt: Date(device.activatedAt.timestamp), lastSeenAt: Date(device.lastSeenAt.timestamp),
                isThisOne: device.activation == activation)
        }
        total = list.total
        limit = list.limit
        releasesLeft = list.releasesLeft
        nextRelease = list.nextRelease.map { Date($0.timestamp) }
    }
}

/// Why the license's devices couldn't be listed, or a device couldn't be released.
public struct LicenseDevicesError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failures, as stable codes.
    public enum Code: String, Sendable, Hashable {
        /// No license with a lease is stored here, so no request was sent.
        case noLicense = "no_license"
        /// The server refused the request.
        case refused
        /// The server couldn't be reached, or the dialect has no list of devices.
        case unreached
    }

    /// The kind of failure, for programs to branch on.
    public let code: Code
    /// The reasons, for the user; without a license, those of the current state.
    public let explanation: Explanation

    /// Creates an error, for previews and tests.
    public init(_ code: Code, _ explanation: Explanation) {
        self.code = code
        self.explanation = explanation
    }

    /// The code and the reasons.
    public var description: String { "\(code.rawValue): \(explanation)" }

    /// What happened, in one sentence for the user.
    public var errorDescription: String? { explanation.message }

    /// The remedy, in one sentence for the user.
    public var recoverySuggestion: String? { explanation.cure }
}

extension LicenseManager {
    /// Fetches the devices on which the license is activated; available over the Tenure dialect only.
    ///
    /// Throws ``LicenseDevicesError``: `.noLicense`; `.refused`; `.unreached`, also over Keylight.
    public func devices() async throws(LicenseDevicesError) -> LicenseDevices {
        try await listed()
    }

    /// Releases another device, for example one that is lost, so that the license can be activated elsewhere.
    ///
    /// The released device learns the reason with its next request. The vendor can undo the release.
    ///
    /// - Returns: The remaining devices.
    /// - Throws: ``LicenseDevicesError``: `.noLicense`; `.refused` with a reason such as `self_release_off`,
    ///   `self_release_cooldown` or `self_release_used_up`; `.unreached`.
    @discardableResult
    public func release(_ device: LicenseDevices.Device) async throws(LicenseDevicesError) -> LicenseDevices {
        try await listed(releasing: device.id)
    }

    private func listed(releasing other: String? = nil) async throws(LicenseDevicesError) -> LicenseDevices {
        do throws(LicenseDevicesError) {
            let devices = try await engine.devices(releasing: other)
            adopt(await engine.stand())
            return devices
        } catch {
            adopt(await engine.stand())
            throw LicenseDevicesError(error.code, error.explanation.localized(style))
        }
    }
}
