/// Where a link goes: to this server, to a page on the web, to a mailbox, or within the page. Never to code.
package struct PageLink: Sendable, Hashable {
    package let text: String

    private init(text: String) { self.text = text }

    /// A page of this server.
    package init(_ path: PagePath) { text = path.text }

    /// A place in the page itself.
    package init(to element: ElementID) { text = "#" + element.text }

    /// An icon of no bytes, so that no browser asks for one.
    package static let noIcon = PageLink(text: "data:,")

    /// A page on the web; nil for anything but an absolute `https` address of at most 2048 visible ASCII characters.
    package init?(web address: String) {
        let scheme = "https://"
        guard address.utf8.count <= 2048, address.lowercased().hasPrefix(scheme),
            address.utf8.count > scheme.utf8.count, address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text = address
    }

    /// What has a device install an app: where its package is, the token that allows it, and the app's page
    /// (`spec/apple.md` §5). The system takes it from a press on a page of the package's own host alone.
    package init(installing package: String, token: String, shareURL: String) {
        let items = [
            ("alternativeDistributionPackage", package), ("installVerificationToken", token), ("appShareURL", shareURL),
        ]
        text =
            "marketplace-kit://install?" + items.map { "\($0)=" + PagePath.encoded($1) }.joined(separator: "&")
    }

    /// A letter to a mailbox with its subject filled in; nil for what is no mailbox.
    package init?(mailTo mailbox: String, subject: String) {
        let sides = mailbox.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ !$0.isEmpty }), mailbox.utf8.count <= 254,
            mailbox.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        text =
            "mailto:\(PagePath.encoded(String(sides[0])))@\(PagePath.encoded(String(sides[1])))"
            + "?subject=\(PagePath.encoded(subject))"
    }
}
