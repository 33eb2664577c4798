/// How a tenant's pages look.
package struct Brand: Sendable, Hashable {
    /// The name at the top of pages; `nil` for the tenant's name.
    package var name: String?
    /// The color of links and buttons on a light background; `nil` for the standard color.
    package var accent: RGBColor?
    /// The color of links and buttons on a dark background; `nil` for a color that is derived from ``accent``.
    package var accentDark: RGBColor?
    /// The `https` address that the name and the logo lead to; `nil` for no link.
    package var homepage: String?
    /// The logo, a PNG, JPEG or WebP image of at most 64 KiB; `nil` for none.
    package var logo: Logo?

    /// An image with its digest.
    package struct Logo: Sendable, Hashable {
        package let bytes: [UInt8]
        /// The SHA-256 digest of the bytes, which is part of the image's address.
        package let digest: Digest

        package init(_ bytes: [UInt8], digest: Digest) {
            self.bytes = bytes
            self.digest = digest
        }

        /// Compares the digests.
        package static func == (one: Logo, other: Logo) -> Bool { one.digest == other.digest }

        package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    /// Creates the standard look.
    package init() {}
}

/// A color of the sRGB color space, written as `#rrggbb`.
package struct RGBColor: Sendable, Hashable, CustomStringConvertible {
    /// Red, green and blue, each from 0 to 255.
    package let red: UInt8, green: UInt8, blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `#` and six hexadecimal digits; returns `nil` for any other text.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 7, digits[0] == 0x23,
            let number = UInt32(String(text.dropFirst()), radix: 16), digits[1] != 0x2B, digits[1] != 0x2D
        else { return nil }
        self.init(
            red: UInt8(number >> 16), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
    }

    /// The color as `#rrggbb` in lower case.
    package var description: String {
        let digits = [red, green, blue].map { part in
            let text = String(part, radix: 16)
            return text.utf8.count == 1 ? "0" + text : text
        }
        return "#" + digits.joined()
    }
}
