// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import FoundationOnApple

// The parts of UIKit that Tenure uses, declared from Apple's documentation. They do nothing.

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { neverRun() }
    public var identifierForVendor: UUID? { neverRun() }
    public var name: String { neverRun() }
    public var systemName: String { neverRun() }
    public var systemVersion: String { neverRun() }
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
