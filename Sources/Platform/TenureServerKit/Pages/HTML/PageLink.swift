package import TenureCore

/// The target of a link, or the address of an icon.
///
/// It's a page of this server or of the web, a mailbox, an element of the same page, or the installation of an app. An
/// icon is a `data:` URL. No link is a `javascript:` URL.
package struct PageLink: Sendable, Hashable {
    package let text: String

    private init(text: String) { self.text = text }

    /// A link to a page of this server.
    package init(_ path: PagePath) { text = path.text }

    /// A link to an element of the same page.
    package init(to element: ElementID) { text = "#" + element.text }

    /// An icon as a `data:` URL: a letter on a colored square.
    package init(icon letter: Character, on color: RGBColor) {
        let image =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\"><rect width=\"32\" height=\"32\" rx=\"8\" "
            + "fill=\"\(color)\"/><text x=\"16\" y=\"22.5\" font-family=\"sans-serif\" font-size=\"18\" "
            + "font-weight=\"700\" text-anchor=\"middle\" fill=\"#ffffff\">\(letter)</text></svg>"
        text = "data:image/svg+xml," + PagePath.encoded(image)
    }

    /// A link to a page on the web; `nil` unless the address is an absolute `https` URL of at most 2048 visible ASCII
    /// characters.
    package init?(web address: String) {
        let scheme = "https://"
        guard address.utf8.count <= 2048, address.lowercased().hasPrefix(scheme),
            address.utf8.count > scheme.utf8.count, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text = address
    }

    /// The address for people, without `https://`, a query, a fragment and a slash at its end.
    package var shortText: String {
        let scheme = "https://"
        guard text.lowercased().hasPrefix(scheme) else { return text }
        let address = text.dropFirst(scheme.count).prefix { $0 != "?" && $0 != "#" }
        return String(address.hasSuffix("/") ? address.dropLast() : address)
    }

    /// A link that makes an Apple device install an app from a marketplace.
    ///
    /// The system accepts the link only if a person taps it on a page of the host that serves the package.
    ///
    /// - Parameters:
    ///   - package: The URL of the app's package.
    ///   - token: The token that permits the installation.
    ///   - shareURL: The URL of the app's page.
    package init(installing package: String, token: String, shareURL: String) {
        let items = [
            ("alternativeDistributionPackage", package), ("installVerificationToken", token), ("appShareURL", shareURL),
        ]
        text =
            "marketplace-kit://install?" + items.map { "\($0)=" + PagePath.encoded($1) }.joined(separator: "&")
    }

    /// A `mailto` link with a subject; `nil` if the mailbox isn't a valid email address.
    package init?(mailTo mailbox: String, subject: String) {
        let sides = mailbox.split(atByte: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty }), mailbox.utf8.count <= 254,
            mailbox.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text =
            "mailto:\(PagePath.encoded(String(sides[0])))@\(PagePath.encoded(String(sides[1])))"
            + "?subject=\(PagePath.encoded(subject))"
    }
}
