/// The devices that hold places of a license, as a server signed it.
package struct HeldPlaces: Sendable, Hashable {
    /// A device.
    package struct Place: Sendable, Hashable {
        /// The activation that it holds.
        package let activation: String
        /// What it calls itself; may be empty.
        package let name: String
        /// When it took the place.
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

    /// The places, those seen last first, this device's among them.
    package let places: [Place]
    /// How many there may be; nil for no limit.
    package let limit: Int?
    /// How many more the holder may release this year; nil when the policy does not let holders release places.
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
