// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import FoundationOnApple

// The parts of BackgroundTasks that Tenure uses, declared from Apple's documentation. They do nothing.

open class BGTaskRequest: NSObject {
    public var identifier: String { neverRun() }
    public var earliestBeginDate: Date?
}

public final class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) { neverRun() }
}

public final class BGTaskScheduler: NSObject, @unchecked Sendable {
    public class var shared: BGTaskScheduler { neverRun() }
    public func submit(_ taskRequest: BGTaskRequest) throws { neverRun() }
    public func cancel(taskRequestWithIdentifier identifier: String) { neverRun() }
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
