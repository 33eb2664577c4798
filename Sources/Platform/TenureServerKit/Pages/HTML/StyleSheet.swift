import TenureCrypto
import TenureFormats

/// A built-in style sheet with its hash, which makes a page's Content-Security-Policy permit only this style sheet.
package struct StyleSheet: Sendable, Hashable {
    package let bytes: [UInt8]

    /// The policy's source expression, `'sha256-...'` (CSP level 3, §2.3.1).
    package let source: String

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        source = "'sha256-\(Base64.encode(SHA256.hash(bytes)))'"
    }

    /// The style sheet of all pages.
    package static let pages = StyleSheet(PackageResources.pages_css)
}
