import TenureCore
import TenureCrypto
import TenureFormats

/// A built-in style sheet and its hash. A page's Content-Security-Policy permits only style sheets with a listed hash.
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

    /// The style sheet with a tenant's colors for links and buttons.
    ///
    /// The text on buttons is white in light mode and almost black in dark mode. The catalog accepts only colors that
    /// make both texts readable.
    static func accent(_ light: RGBColor, dark: RGBColor) -> StyleSheet {
        func rule(_ color: RGBColor, _ text: String, pressed: RGBColor) -> String {
            ":root { --accent: \(color); --on-accent: \(text); --accent-pressed: \(pressed); }"
        }
        let text =
            rule(light, "#ffffff", pressed: light.mixed(with: .black, 0.25))
            + " @media (prefers-color-scheme: dark) { "
            + rule(dark, "#111114", pressed: dark.mixed(with: .white, 0.35)) + " }"
        return StyleSheet(Array(text.utf8))
    }
}
