// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Dispatch

// The parts of Network that Tenure uses, declared from Apple's documentation. They do nothing.

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
