public import TenureCore
public import TenureFormats

/// The devices on which a license is activated, for its holder: `typ` `tenure-devices+jwt`.
public struct TenureDevices: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-devices+jwt"

    /// The most devices in a list; if there are more, the most recently seen are listed.
    public static let mostDevices = 100

    /// A device on which the license is activated.
    public struct Device: Sendable, Hashable {
        /// The id of the license's activation on the device.
        public let activation: ActivationID
        /// The name that the device gave itself, truncated to 64 characters; may be empty.
        public let name: String
        /// The operating system that the device last reported; `nil` if it reported none.
        public let system: DeviceSystem?
        /// When the license was activated on the device.
        public let activatedAt: Timestamp
        /// When the device last contacted the server, as far as that has been stored.
        public let lastSeenAt: Timestamp

        /// Creates a device with these values; a name of more than 64 characters is truncated.
        public init(
            activation: ActivationID, name: String, system: DeviceSystem? = nil, activatedAt: Timestamp,
            lastSeenAt: Timestamp
        ) {
            self.activation = activation
            self.name = String(name.prefix(64))
            self.system = system
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
        }
    }

    /// The holder's allowance for releasing devices.
    public struct Allowance: Sendable, Hashable {
        /// How many releases are left of those that the policy allows within 365 days.
        public let left: Int
        /// When the next release is allowed; `nil` if one is allowed now.
        public let nextAt: Timestamp?

        /// Creates an allowance with these values, which aren't checked.
        public init(left: Int, nextAt: Timestamp?) {
            self.left = left
            self.nextAt = nextAt
        }
    }

    /// The envelope; its key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// How many devices may be activated at once; `nil` for no limit.
    public let activationLimit: Int?

    /// How many devices the holder may still release, and from when; `nil` if the policy doesn't let holders release
    /// devices.
    public let selfRelease: Allowance?

    /// How many devices are activated, including those that aren't listed.
    public let total: Int

    /// The devices, including the requesting one; most recently seen first.
    public let devices: [Device]

    /// Creates the list; of more than 100 devices, it keeps the most recently seen.
    ///
    /// - Parameter total: How many devices are activated; at least as many as are given.
    public init(
        _ envelope: StatementEnvelope, activationLimit: Int?, selfRelease: Allowance?, devices: [Device], total: Int = 0
    ) {
        self.envelope = envelope
        self.total = max(total, devices.count)
        self.activationLimit = activationLimit
        self.selfRelease = selfRelease
        self.devices = Array(
            devices.sorted { ($1.lastSeenAt, $1.activation.high) < ($0.lastSeenAt, $0.activation.high) }
                .prefix(Self.mostDevices))
    }

    /// Reads the members that follow the envelope.
    ///
    /// - Throws: `.badMember` if a member is missing or invalid.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        var devices: [Device] = []
        for member in try members.require("devices", members.objects("devices")) { devices.append(try Device(member)) }
        let allowance = try members.optional("selfRelease", members.object("selfRelease"))
        self.init(
            envelope,
            activationLimit: try members.optional("activationLimit", members.integer("activationLimit"))
                .flatMap { Int(exactly: $0) }, selfRelease: try allowance.map(Allowance.init), devices: devices,
            total: try members.optional("total", members.integer("total")).flatMap { Int(exactly: $0) } ?? 0)
    }

    /// Writes the members that follow the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("activationLimit", activationLimit)
        object.member("total", total)
        if let selfRelease {
            object.object("selfRelease") { member in
                member.member("left", selfRelease.left)
                member.member("nextAt", selfRelease.nextAt?.seconds)
            }
        } else {
            object.null("selfRelease")
        }
        object.array("devices") { list in
            for device in devices {
                list.object { member in
                    member.member("activation", device.activation.description)
                    member.member("name", device.name)
                    member.member("system", device.system?.name)
                    member.member("systemVersion", device.system?.version)
                    member.member("activatedAt", device.activatedAt.seconds)
                    member.member("lastSeenAt", device.lastSeenAt.seconds)
                }
            }
        }
    }
}

extension TenureDevices.Device {
    fileprivate init(_ object: FlatObject) throws(FormatError) {
        guard let activation = ActivationID(text: try object.require("activation", object.string("activation"))) else {
            throw FormatError(.badMember, "the activation of a device must be a UUID")
        }
        self.init(
            activation: activation, name: try object.require("name", object.string("name")),
            // These texts are only displayed, so a client that can't use a device's system shows the list without it.
            system: DeviceSystem(name: object.string("system").value, version: object.string("systemVersion").value),
            activatedAt: Timestamp(seconds: try object.require("activatedAt", object.integer("activatedAt"))),
            lastSeenAt: Timestamp(seconds: try object.require("lastSeenAt", object.integer("lastSeenAt"))))
    }
}

extension TenureDevices.Allowance {
    fileprivate init(_ object: FlatObject) throws(FormatError) {
        guard let left = Int(exactly: try object.require("left", object.integer("left"))), left >= 0 else {
            throw FormatError(.badMember, "the number left must be 0 or more")
        }
        self.init(
            left: left,
            nextAt: try object.optional("nextAt", object.integer("nextAt")).map(Timestamp.init(seconds:)))
    }
}
