import TenureCore
package import TenureServerKit

/// The form that opens a session; it looks the same for every account.
package struct SignInForm: Sendable, Hashable {
    /// The claims in the page's URL; the claimed account is the initial value of the name field.
    package let claims: ResolutionClaims
    /// Why the previous attempt failed; `nil` on the first visit.
    package let trouble: String?
    /// Whether people sign in on the shop's own page.
    package let isAtShop: Bool

    package init(claims: ResolutionClaims, trouble: String? = nil, atShop isAtShop: Bool = false) {
        self.claims = claims
        self.trouble = trouble
        self.isAtShop = isAtShop
    }

    /// The maximum length of a name, in bytes.
    package static let longestName = 254

    func card(in frame: PageFrame, heading: String) -> Markup {
        let (title, hint) = (ElementID("sign-in"), ElementID("sign-in-hint"))
        return Tag.section(.class("card"), .labelled(by: title)) {
            Tag.h2(.id(title)) { heading }
            if let trouble {
                Tag.p(.role("alert"), .class("trouble")) { trouble }
            }
            Tag.p(.id(hint), .class("soft")) {
                SignInPageText.signInOrLink(in: frame.language, ["marketplace": frame.marketplace])
            }
            if isAtShop {
                Tag.div(.class("acts")) {
                    Tag.a(.class("button"), .href(PageLink(shop(in: frame)))) {
                        SignInPageText.signIn(in: frame.language)
                    }
                }
            } else {
                form(in: frame, described: hint)
            }
        }
    }

    /// The path that redirects the person to the shop.
    private func shop(in frame: PageFrame) -> PagePath {
        PagePath(PageSite.signIn.segments(of: frame.tenant) + ["page"], query: claims.query)
    }

    private func form(in frame: PageFrame, described hint: ElementID) -> Markup {
        let (account, password) = (ElementID("account"), ElementID("password"))
        return Tag.form(.class("sign-in"), .post, .action(frame.path("sign-in")), .described(by: hint)) {
            claims.fields
            Tag.div(.class("field")) {
                Tag.label(.for(account)) { SignInPageText.account(in: frame.language) }
                Tag.input(
                    .id(account), .name("account"), .type("text"), .value(claims.account?.text ?? ""),
                    .autocomplete("username"), .uncapitalised, .unspelled, .longest(Self.longestName), .required)
            }
            Tag.div(.class("field")) {
                Tag.label(.for(password)) { SignInPageText.password(in: frame.language) }
                Tag.input(
                    .id(password), .name("password"), .type("password"), .autocomplete("current-password"),
                    .longest(1024), .required)
            }
            Tag.button(.type("submit")) { SignInPageText.signIn(in: frame.language) }
        }
    }

    /// The page after a failed attempt.
    package func page(status: Int, in frame: PageFrame) -> Page {
        let title = SignInPageText.signIn(in: frame.language)
        return Page(status: status, title: title) {
            Tag.h1 { title }
            card(in: frame, heading: ResolutionPageText.statusTitle(in: frame.language))
        }
    }
}
