import TenureCrypto
import TenureFormats

/// A style sheet that is part of the program, with the hash by which a page's policy permits it and no other.
package struct StyleSheet: Sendable, Hashable {
    package let bytes: [UInt8]

    /// The policy's word for it, `'sha256-...'` (CSP level 3, §2.3.1).
    package let source: String

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        source = "'sha256-\(Base64.encode(SHA256.hash(bytes)))'"
    }

    /// What all pages wear.
    package static let pages = StyleSheet(PackageResources.pages_css)
}
