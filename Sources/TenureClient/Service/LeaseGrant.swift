/// A yes to ``LicenseService/activate(key:name:freeTier:)`` or ``LicenseService/renew(_:notBefore:)``.
package struct LeaseGrant: Sendable, Hashable {
    /// What the lease says.
    package let facts: LeaseFacts
    /// The bytes that prove it, to keep.
    package let bytes: [UInt8]
    /// What the vendor allows people without a license, if that was told too.
    package let terms: ProductTerms?
    /// The server's time, signed: over Keylight, when the lease was signed.
    package let serverTime: Moment

    package init(facts: LeaseFacts, bytes: [UInt8], terms: ProductTerms? = nil, serverTime: Moment) {
        self.facts = facts
        self.bytes = bytes
        self.terms = terms
        self.serverTime = serverTime
    }
}

/// A license key and the activation it was given on this device.
package struct HeldActivation: Sendable, Hashable, Codable {
    /// The key as the person typed it.
    package let key: String
    /// What the server calls the bond.
    package let activation: String

    package init(key: String, activation: String) {
        self.key = key
        self.activation = activation
    }
}

/// What the vendor allows people without a license.
package struct ProductTerms: Sendable, Hashable, Codable {
    /// How many days a trial lasts; nil when the server does not say, 0 when trials are switched off.
    package let trialDays: Int?
    /// Whether there is a free plan.
    package let freeTier: Bool
    /// When the server signed this; nil when it is not signed. Somebody without a license has no other word on the time.
    package let signedAt: Moment?

    package init(trialDays: Int?, freeTier: Bool, signedAt: Moment? = nil) {
        self.trialDays = trialDays
        self.freeTier = freeTier
        self.signedAt = signedAt
    }
}

/// A signed trial: first write wins on the server.
package struct TrialStart: Sendable, Hashable, Codable {
    /// When it started, by the server's clock.
    package let start: Moment
    /// How many days it lasts; 0 when the product has no trial.
    package let days: Int
    /// The server's time.
    package let serverTime: Moment

    package init(start: Moment, days: Int, serverTime: Moment) {
        self.start = start
        self.days = days
        self.serverTime = serverTime
    }
}

/// The activation has ended.
package struct Released: Sendable, Hashable {
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    package init(serverTime: Moment? = nil) { self.serverTime = serverTime }
}

/// The devices on which a license is activated, as a server signed it.
package struct HeldPlaces: Sendable, Hashable {
    /// A device.
    package struct Place: Sendable, Hashable {
        /// The activation that it holds.
        package let activation: String
        /// What it calls itself; may be empty.
        package let name: String
        /// When it was activated.
        package let activatedAt: Moment
        /// When it last asked.
        package let lastSeenAt: Moment

        package init(activation: String, name: String, activatedAt: Moment, lastSeenAt: Moment) {
            self.activation = activation
            self.name = name
            self.activatedAt = activatedAt
            self.lastSeenAt = lastSeenAt
        }
    }

    /// The devices, those seen last first, this device's among them.
    package let places: [Place]
    /// How many there may be; nil for no limit.
    package let limit: Int?
    /// How many more the holder may release this year; nil when the policy does not let holders release devices.
    package let releasesLeft: Int?
    /// When the next one may be released; nil when one may be now.
    package let nextRelease: Moment?
    /// The server's time.
    package let serverTime: Moment

    package init(places: [Place], limit: Int?, releasesLeft: Int?, nextRelease: Moment?, serverTime: Moment) {
        self.places = places
        self.limit = limit
        self.releasesLeft = releasesLeft
        self.nextRelease = nextRelease
        self.serverTime = serverTime
    }
}
