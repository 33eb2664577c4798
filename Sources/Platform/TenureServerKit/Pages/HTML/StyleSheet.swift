import TenureCrypto
import TenureFormats

/// A built-in style sheet and its hash, with which a page's Content-Security-Policy permits this style sheet only.
package struct StyleSheet: Sendable, Hashable {
    package let bytes: [UInt8]

    /// The source expression for the Content-Security-Policy, `'sha256-...'` (CSP Level 3, §2.3.1).
    package let source: String

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        source = "'sha256-\(Base64.encode(SHA256.hash(bytes)))'"
    }

    /// The style sheet of all pages.
    package static let pages = StyleSheet(PackageResources.pages_css)
}
