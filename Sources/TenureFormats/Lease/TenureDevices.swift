public import TenureCore

/// The devices that hold places of a license, for its holder: `typ` `tenure-devices+jwt`.
public struct TenureDevices: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-devices+jwt"

    /// Devices in the longest list; those seen last are in it.
    public static let mostDevices = 100

    /// A device that holds a place.
    public struct Device: Sendable, Hashable {
        /// Its activation.
        public let activation: ActivationID
        /// What it calls itself, cut to 64 characters; may be empty.
        public let name: String
        /// When it took the place.
        public let activatedAt: Timestamp
        /// When it last asked, as far as that has been written down.
        public let lastSeenAt: Timestamp

        /// Describes a device.
        public init(activation: ActivationID, name: String, activatedAt: Timestamp, lastSeenAt: Timestamp) {
            self.activation = activation
            self.name = String(name.prefix(64))
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
        }
    }

    /// What the holder may release.
    public struct Allowance: Sendable, Hashable {
        /// How many releases are left of this year's.
        public let left: Int
        /// When the next one may be; nil when it may be now.
        public let nextAt: Timestamp?

        /// States an allowance.
        public init(left: Int, nextAt: Timestamp?) {
            self.left = left
            self.nextAt = nextAt
        }
    }

    /// Key hash, device and activation are those of the request.
    public let envelope: StatementEnvelope

    /// How many devices may hold a place at once; nil for no limit.
    public let activationLimit: Int?

    /// What the holder may release from this device; nil when the policy does not allow it.
    public let selfRelease: Allowance?

    /// The devices, the one that asked among them; those seen last come first.
    public let devices: [Device]

    /// Lists devices; of more than 100 those seen last.
    public init(
        _ envelope: StatementEnvelope, activationLimit: Int?, selfRelease: Allowance?, devices: [Device]
    ) {
        self.envelope = envelope
        self.activationLimit = activationLimit
        self.selfRelease = selfRelease
        self.devices = Array(
            devices.sorted { ($1.lastSeenAt, $1.activation.high) < ($0.lastSeenAt, $0.activation.high) }
                .prefix(Self.mostDevices))
    }

    /// Reads what stands beside the envelope. Throws: `.badMember`.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        var devices: [Device] = []
        for member in try members.require("devices", members.objects("devices")) { devices.append(try Device(member)) }
        let allowance = try members.optional("selfRelease", members.object("selfRelease"))
        self.init(
            envelope,
            activationLimit: try members.optional("activationLimit", members.integer("activationLimit"))
                .flatMap { Int(exactly: $0) }, selfRelease: try allowance.map(Allowance.init), devices: devices)
    }

    /// Writes what stands beside the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("activationLimit", activationLimit)
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
            throw FormatError(.badMember, "a device's activation is a UUID")
        }
        self.init(
            activation: activation, name: try object.require("name", object.string("name")),
            activatedAt: Timestamp(seconds: try object.require("activatedAt", object.integer("activatedAt"))),
            lastSeenAt: Timestamp(seconds: try object.require("lastSeenAt", object.integer("lastSeenAt"))))
    }
}

extension TenureDevices.Allowance {
    fileprivate init(_ object: FlatObject) throws(FormatError) {
        guard let left = Int(exactly: try object.require("left", object.integer("left"))), left >= 0 else {
            throw FormatError(.badMember, "what is left is 0 or more")
        }
        self.init(
            left: left,
            nextAt: try object.optional("nextAt", object.integer("nextAt")).map(Timestamp.init(seconds:)))
    }
}
