package import TenureCore

/// A group of pages with its own path prefix, so that no other group receives its cookies.
package struct PageSite: Sendable, Hashable {
    /// The path segment before the tenant; `nil` for pages that don't belong to a tenant.
    private let before: String?
    private let after: [String]
    /// The available languages. The first one is the default for a browser that accepts none of them.
    package let languages: [PageLanguage]
    /// The subject of emails that a person sends to support from these pages.
    package let matter: Spoken
    /// Whether people sign in with an account, instead of opening a page with a one-time link.
    let hasAccounts: Bool
    /// Whether the site has a start page to link to.
    let hasStartPage: Bool
    /// The label of the link from the result of an action to the start page.
    let backToStart: FrameText

    /// Declares the pages whose paths start with `before`, the tenant and `after`, in this order.
    package init(
        _ before: String, after: String..., languages: [PageLanguage] = PageLanguage.allCases, matter: Spoken,
        hasAccounts: Bool = false, hasStartPage: Bool = true, backToStart: FrameText = .toDevices
    ) {
        self.before = before
        self.after = after
        self.languages = languages
        self.matter = matter
        self.hasAccounts = hasAccounts
        self.hasStartPage = hasStartPage
        self.backToStart = backToStart
    }

    /// Declares the page at the server's root path, `/`.
    init(matter: Spoken) {
        before = nil
        after = []
        languages = PageLanguage.allCases
        self.matter = matter
        (hasAccounts, hasStartPage, backToStart) = (false, true, .toStart)
    }

    /// The path segments of a tenant's start page. The paths of the site's other pages start with them.
    package func segments(of tenant: TenantID) -> [String] { (before.map { [$0, tenant.text] } ?? []) + after }

    /// The start page's path as a route pattern.
    package var pattern: String { ((before.map { [$0, "{tenant}"] } ?? []) + after).map { "/" + $0 }.joined() }
}
