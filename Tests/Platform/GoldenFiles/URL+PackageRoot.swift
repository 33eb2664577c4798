public import Foundation

extension URL {
    /// The package's folder, wherever the test that asks is stored in it.
    public static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
