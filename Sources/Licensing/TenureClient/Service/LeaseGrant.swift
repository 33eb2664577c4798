package import TenureLicensing

/// The result of a successful ``LicenseService/activate(key:name:system:freeTier:)`` or
/// ``LicenseService/renew(_:notBefore:name:reporting:)``.
package struct LeaseGrant: Sendable, Hashable {
    /// The lease's contents, which have been verified.
    package let facts: LeaseFacts
    /// The signed lease, for storage.
    package let bytes: [UInt8]
    /// The terms for users without a license, if the response contained them.
    package let terms: ProductTerms?
    /// The server's time, from a signed part of the response; over Keylight, when the lease was signed.
    package let serverTime: Moment

    package init(facts: LeaseFacts, bytes: [UInt8], terms: ProductTerms? = nil, serverTime: Moment) {
        self.facts = facts
        self.bytes = bytes
        self.terms = terms
        self.serverTime = serverTime
    }
}

/// A license key and its activation on this device.
package struct HeldActivation: Sendable, Hashable, Codable {
    /// The key as the user typed it.
    package let key: String
    /// The server's id of the activation.
    package let activation: String

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case key = "key"
        case activation = "activation"
    }

    package init(key: String, activation: String) {
        self.key = key
        self.activation = activation
    }
}

/// What the vendor allows users without a license.
package struct ProductTerms: Sendable, Hashable, Codable {
    /// The length of a trial in days; `nil` if the server doesn't say, 0 if trials are switched off.
    package let trialDays: Int?
    package let freeTier: Bool
    /// When the server signed these terms; `nil` if they aren't signed.
    ///
    /// Without a license it is the only source of the server's time.
    package let signedAt: Moment?

    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case trialDays = "trialDays"
        case freeTier = "freeTier"
        case signedAt = "signedAt"
    }

    package init(trialDays: Int?, freeTier: Bool, signedAt: Moment? = nil) {
        self.trialDays = trialDays
        self.freeTier = freeTier
        self.signedAt = signedAt
    }
}

/// A signed trial; the server stores only a device's first start.
package struct TrialStart: Sendable, Hashable {
    /// When the trial started, by the server's clock.
    package let start: Moment
    /// The length in days; 0 if the product has no trial.
    package let days: Int
    package let serverTime: Moment

    package init(start: Moment, days: Int, serverTime: Moment) {
        self.start = start
        self.days = days
        self.serverTime = serverTime
    }
}

/// The result of a successful release: the activation has ended.
package struct Released: Sendable, Hashable {
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    package init(serverTime: Moment? = nil) { self.serverTime = serverTime }
}

/// The devices on which a license is activated, from a signed response.
package struct ActivatedDevices: Sendable, Hashable {
    package struct Place: Sendable, Hashable {
        /// The id of the device's activation.
        package let activation: String
        /// The device's name; may be empty.
        package let name: String
        /// The device's operating system; `nil` if it isn't known.
        package let system: DeviceSystem?
        /// When the license was activated on the device.
        package let activatedAt: Moment
        /// When the device last contacted the server.
        package let lastSeenAt: Moment

        package init(
            activation: String, name: String, system: DeviceSystem?, activatedAt: Moment, lastSeenAt: Moment
        ) {
            self.activation = activation
            self.name = name
            self.system = system
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
        }
    }

    /// The devices, including this one, most recently seen first.
    package let places: [Place]
    /// How many devices the license is activated on, including those that aren't listed.
    package let total: Int
    /// The maximum number of devices; `nil` if there is no limit.
    package let limit: Int?
    /// How many more devices the user may release within 365 days; `nil` if the policy doesn't let users release
    /// devices.
    package let releasesLeft: Int?
    /// When the user may release the next device; `nil` if there is no wait.
    package let nextRelease: Moment?
    package let serverTime: Moment

    package init(
        places: [Place], total: Int, limit: Int?, releasesLeft: Int?, nextRelease: Moment?, serverTime: Moment
    ) {
        self.places = places
        self.total = total
        self.limit = limit
        self.releasesLeft = releasesLeft
        self.nextRelease = nextRelease
        self.serverTime = serverTime
    }
}
