// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import FoundationOnApple

// What Tenure uses of UIKit, as Apple documents it; nothing here does anything.

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { neverRun() }
    public var identifierForVendor: UUID? { neverRun() }
    public var name: String { neverRun() }
}

private func neverRun() -> Never { fatalError("a stub is only compiled") }
