import Glibc
package import TenureCore

extension RGBColor {
    /// The background on which links have the least contrast in light mode: the page.
    package static let lightGround = RGBColor(red: 0xF4, green: 0xF4, blue: 0xF7)
    package static let darkGround = RGBColor(red: 0x1D, green: 0x1D, blue: 0x21)

    /// The minimum contrast of text (WCAG 2.2, success criterion 1.4.3).
    package static let leastContrast = 4.5

    /// The contrast ratio of two colors, from 1 to 21, as WCAG 2.2 defines it.
    package func contrast(with other: RGBColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Whether text in this color is readable on a background, according to ``leastContrast``.
    package func isReadable(on ground: RGBColor) -> Bool { contrast(with: ground) >= Self.leastContrast }

    /// The color, lightened as far as needed to be readable on a dark background.
    package var onDark: RGBColor {
        for step in 0..<20 {
            let color = mixed(with: .white, Double(step) / 20)
            if color.isReadable(on: .darkGround) { return color }
        }
        return .white
    }

    /// Returns the color mixed with another one, whose share `part` is between 0 and 1.
    package func mixed(with other: RGBColor, _ part: Double) -> RGBColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8(min(255, max(0, (Double(one) * (1 - part) + Double(two) * part).rounded())))
        }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    package static let white = RGBColor(red: 255, green: 255, blue: 255)
    package static let black = RGBColor(red: 0, green: 0, blue: 0)

    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
