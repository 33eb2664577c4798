/// The recorded bond of one license and one device (Keylight: *instance*).
public struct Activation: Sendable, Hashable {
    /// Its name: Keylight's `instance_id`.
    public let id: ActivationID

    /// The license whose seat it takes.
    public let license: LicenseID

    /// By what the device is known again.
    public let identity: DeviceIdentity

    /// What the device calls itself, for people; may be empty.
    public let name: String

    /// When the seat was taken.
    public let activatedAt: Timestamp

    /// When the device last asked, as far as it has been written down: gathered in the background.
    public var lastSeenAt: Timestamp

    /// When the seat was given back; nil while it is taken.
    public internal(set) var releasedAt: Timestamp?

    /// Who gave it back; nil while it is taken, and where that was not written down.
    public internal(set) var releasedBy: Releaser?

    /// Until when its device counts among those of the license although its place was given back: a lease that it got
    /// before may still run. Nil while the place is taken, after the operator's release, and where nobody wrote it down.
    public internal(set) var countsUntil: Timestamp?

    /// Who gives a seat back.
    public enum Releaser: String, Sendable, Hashable, CaseIterable {
        /// The device itself.
        case device
        /// The license's holder, from another device or on the license's page.
        case holder
        /// The operator.
        case `operator`
    }

    /// Puts an activation together. It decides nothing.
    public init(
        id: ActivationID, license: LicenseID, identity: DeviceIdentity, name: String, activatedAt: Timestamp,
        lastSeenAt: Timestamp, releasedAt: Timestamp?, releasedBy: Releaser? = nil, countsUntil: Timestamp? = nil
    ) {
        self.id = id
        self.license = license
        self.identity = identity
        self.name = name
        self.activatedAt = activatedAt
        self.lastSeenAt = lastSeenAt
        self.releasedAt = releasedAt
        self.releasedBy = releasedBy
        self.countsUntil = countsUntil
    }

    /// Whether the seat is taken.
    public var isLive: Bool { releasedAt == nil }
}

/// By what a second activation is known to come from a device that is already active.
///
/// Most specific first: a hash of the machine; without one, the id of an installation on the free tier; without
/// that, a repeat of the same attempt. An anonymous device is a new one each time.
public enum DeviceIdentity: Sendable, Hashable {
    /// The device itself: its `machine_hash`, 64 lower-case hexadecimal digits.
    case machine(String)
    /// An installation that used the free tier before: its `free_tier_instance_id`.
    case freeTier(String)
    /// One attempt to activate, sent again: the instance's name and the request's id.
    case attempt(name: String, request: String)
    /// Nothing to know it by.
    case anonymous

    /// Chooses the most specific identity that the parts allow; empty texts count as absent.
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

    /// Whether both name one device: the letters of a hash count alike in either case.
    public func isSame(as other: DeviceIdentity) -> Bool {
        guard case .machine(let hash) = self, case .machine(let another) = other else { return self == other }
        return hash.utf8.elementsEqual(another.utf8) { Self.small($0) == Self.small($1) }
    }

    private static func small(_ letter: UInt8) -> UInt8 { (0x41...0x46).contains(letter) ? letter | 0x20 : letter }

    /// How long the same attempt is known again, in seconds.
    public static let attemptWindow: Int64 = 600
}
