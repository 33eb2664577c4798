import Glibc

/// Facts about a server process, set by the program that runs it.
public struct ServerFacts: Sendable {
    /// The version of Tenure that the process runs, such as `0.1.0`.
    public var version: String

    /// Whether the server uses a virtual clock (`--clock`), which tests can move.
    public var hasVirtualClock: Bool

    /// Returns the process's gauges in the Prometheus text format.
    public var gauges: @Sendable () -> String

    /// Creates the facts of a process.
    public init(version: String, hasVirtualClock: Bool = false, gauges: @escaping @Sendable () -> String = { "" }) {
        self.version = version
        self.hasVirtualClock = hasVirtualClock
        self.gauges = gauges
    }
}

extension ServerFacts {
    /// The name of the host that the process runs on.
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 257)
        gethostname(&name, name.count - 1)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
