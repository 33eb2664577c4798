package import TenureCore

/// A group of pages with its own path, so that no other group receives its cookies.
package struct PageSite: Sendable, Hashable {
    /// The path segments before and after the tenant.
    private let before: String
    private let after: [String]
    /// The languages of the pages; the first is used if the browser accepts none of them.
    package let languages: [PageLanguage]
    /// The subject of emails from these pages to support.
    package let matter: Spoken
    /// Whether people sign in here, rather than open a page with a link.
    let hasAccounts: Bool
    /// Whether the pages have a start page to link to.
    let hasStartPage: Bool

    /// Declares the pages whose paths start with `before`, the tenant, and `after`.
    package init(
        _ before: String, after: String..., languages: [PageLanguage] = [.english], matter: Spoken,
        hasAccounts: Bool = false, hasStartPage: Bool = true
    ) {
        self.before = before
        self.after = after
        self.languages = languages
        self.matter = matter
        self.hasAccounts = hasAccounts
        self.hasStartPage = hasStartPage
    }

    /// The path segments of a tenant's start page; the paths of all other pages start with them.
    package func place(of tenant: TenantID) -> [String] { [before, tenant.text] + after }

    /// The start page's path as a route pattern.
    package var pattern: String { ([before, "{tenant}"] + after).map { "/" + $0 }.joined() }
}
