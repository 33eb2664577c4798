// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

// What Tenure uses of Network, as Apple documents it; nothing here does anything.

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }
    public var status: Status { neverRun() }
}

public final class NWPathMonitor: Sendable {
    public init() {}
    public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { neverRun() }
        set { neverRun() }
    }
    public func start(queue: DispatchQueue) { neverRun() }
    public func cancel() { neverRun() }
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
