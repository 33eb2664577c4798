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
