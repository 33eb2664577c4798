public import TenureCore

/// A license's activation on one device (an *instance* in Keylight).
public struct Activation: Sendable, Hashable {
    /// The activation's id, Keylight's `instance_id`.
    public let id: ActivationID

    /// The license that was activated on the device.
    public let license: LicenseID

    /// The characteristic by which the device is recognized.
    public let identity: DeviceIdentity

    /// The device's display name as it last reported it; may be empty.
    public internal(set) var name: String

    /// The device's operating system as it last reported it; `nil` if it never did.
    public internal(set) var system: DeviceSystem?

    /// When the license was activated on the device.
    public let activatedAt: Timestamp

    /// When the device was released; `nil` while the activation is live.
    public internal(set) var releasedAt: Timestamp?

    /// The party that released the device; `nil` while the activation is live, or if that wasn't recorded.
    public internal(set) var releasedBy: Releaser?

    /// Until when a released device still counts towards the policy's limit of different devices.
    ///
    /// A lease from before the release may still be running. The value is `nil` while the activation is live, after a
    /// release by the operator, and if it wasn't recorded.
    public internal(set) var countsUntil: Timestamp?

    /// The party that releases a device.
    public enum Releaser: String, Sendable, Hashable, CaseIterable {
        /// The device itself.
        case device
        /// The license holder, from another device or on the license's page.
        case holder
        /// The operator.
        case `operator`
    }

    /// Creates an activation from its parts without checking any rule.
    public init(
        id: ActivationID, license: LicenseID, identity: DeviceIdentity, name: String, system: DeviceSystem? = nil,
        activatedAt: Timestamp, releasedAt: Timestamp?, releasedBy: Releaser? = nil,
        countsUntil: Timestamp? = nil
    ) {
        self.id = id
        self.license = license
        self.identity = identity
        self.name = name
        self.system = system
        self.activatedAt = activatedAt
        self.releasedAt = releasedAt
        self.releasedBy = releasedBy
        self.countsUntil = countsUntil
    }

    /// Whether the device hasn't been released.
    public var isLive: Bool { releasedAt == nil }

    /// Returns the activation with the values of its device's report; `nil` if that changes nothing.
    ///
    /// Values that the report lacks stay as they are.
    public func reporting(_ report: DeviceReport) -> Activation? {
        // Bytes are compared, because Swift treats composed and decomposed letters as equal.
        let isRenamed = report.name.map { !$0.utf8.elementsEqual(name.utf8) } ?? false
        guard isRenamed || report.system.map({ $0 != system }) ?? false else { return nil }
        var activation = self
        activation.name = report.name ?? name
        activation.system = report.system ?? system
        return activation
    }
}

/// The characteristic by which a device that is already active is recognized.
///
/// From most to least specific: a hash of the device, the id of a free-tier installation, a repeat of the same request.
/// An anonymous device counts as a new one each time.
public enum DeviceIdentity: Sendable, Hashable {
    /// The device's `machine_hash`: 64 lower-case hexadecimal digits.
    case machine(String)
    /// The `free_tier_instance_id` of an installation that used the free tier before.
    case freeTier(String)
    /// One activation request that may be repeated: the instance's name and the request's id.
    case attempt(name: String, request: String)
    /// No characteristic was sent, so the device can't be recognized.
    case anonymous

    /// Chooses the most specific identity that the parts allow; an empty string counts as absent.
    public init(machineHash: String?, freeTierInstance: String?, instanceName: String?, request: String?) {
        if let machineHash, !machineHash.isEmpty {
            self = .machine(machineHash)
        } else if let freeTierInstance, !freeTierInstance.isEmpty {
            self = .freeTier(freeTierInstance)
        } else if let instanceName, !instanceName.isEmpty, let request, !request.isEmpty {
            self = .attempt(name: instanceName, request: request)
        } else {
            self = .anonymous
        }
    }

    /// Whether both identities belong to the same device; the case of a hash's letters doesn't matter.
    public func isSame(as other: DeviceIdentity) -> Bool {
        guard case .machine(let hash) = self, case .machine(let another) = other else { return self == other }
        return hash == another || hash.utf8.elementsEqual(another.utf8) { Self.small($0) == Self.small($1) }
    }

    private static func small(_ letter: UInt8) -> UInt8 { (0x41...0x46).contains(letter) ? letter | 0x20 : letter }

    /// How long a repeated request is recognized as the same, in seconds.
    public static let attemptWindow: Int64 = 600
}
