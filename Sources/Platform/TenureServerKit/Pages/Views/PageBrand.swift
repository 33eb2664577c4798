import TenureCore
import TenureFormats

/// A tenant's brand in the form that its pages use.
package struct PageBrand: Sendable, Hashable {
    /// The name at the top of the page.
    let name: String
    /// The logo's path on this server; `nil` without a logo.
    let logo: PagePath?
    /// The style sheet with the tenant's colors; `nil` for the standard colors.
    let colors: StyleSheet?
    /// The page that the name links to; `nil` for no link.
    let homepage: PageLink?
    private let accent: RGBColor?

    /// The standard brand with a name.
    init(named name: String) {
        self.name = name
        (logo, colors, homepage, accent) = (nil, nil, nil, nil)
    }

    /// The brand of a tenant.
    ///
    /// - Parameter name: The name to use if the tenant's brand has no name.
    init(of tenant: Tenant, named name: String) {
        let brand = tenant.brand ?? Brand()
        self.name = brand.name ?? name
        logo = brand.logo.map { LogoRoute.path(of: $0, tenant.id) }
        accent = brand.accent
        colors = brand.accent.map { .accent($0, dark: brand.accentDark ?? $0.onDark) }
        homepage = brand.homepage.flatMap(PageLink.init(web:))
    }

    /// The icon in the browser's tab: the logo, or the name's first letter.
    var icon: PageLink {
        if let logo { return PageLink(logo) }
        let letter = name.first { $0.isLetter || $0.isNumber } ?? "T"
        return PageLink(icon: Character(letter.uppercased().first.map(String.init) ?? "T"), on: accent ?? Self.standard)
    }

    private static let standard = RGBColor(red: 0x0A, green: 0x58, blue: 0xCA)
}
