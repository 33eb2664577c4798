/// What is true of this server as a whole, told by the program that runs it.
public struct ServerFacts: Sendable {
    /// The version of Tenure.
    public var version: String

    /// Whether time is moved for trying out (`--clock`).
    public var hasVirtualClock: Bool

    /// Gauges in the Prometheus text format, read when asked.
    public var gauges: @Sendable () -> String

    /// States the facts.
    public init(version: String, hasVirtualClock: Bool = false, gauges: @escaping @Sendable () -> String = { "" }) {
        self.version = version
        self.hasVirtualClock = hasVirtualClock
        self.gauges = gauges
    }
}

/// Where the packages of apps are, and who sends their bytes.
public struct PackagesPlace: Sendable, Hashable {
    /// The folder.
    public var path: String
    /// What the proxy in front calls the folder, such as `/inner/`, where it sends the bytes; nil where the server does.
    public var accel: String?

    /// Names the place.
    public init(path: String, accel: String? = nil) {
        self.path = path
        self.accel = accel
    }
}
