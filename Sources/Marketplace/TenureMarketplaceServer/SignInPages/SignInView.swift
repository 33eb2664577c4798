import TenureCore
import TenureServerKit

/// The page where a person signs in for an app.
struct SignInView: Sendable, Hashable {
    /// The encrypted ``PendingSignIn``.
    let pending: String
    /// The initial value of the name field; untrusted text.
    let name: String
    /// Why the previous attempt failed; `nil` on the first visit.
    var trouble: String?
    /// Whether the field for a one-time link is shown at once, because the person has already tried a link.
    var isLinkOpen = false

    /// The names of the form's fields.
    enum Field {
        static let pending: StaticString = "sign_in", account: StaticString = "account"
        static let password: StaticString = "password", link: StaticString = "link", cancel: StaticString = "cancel"
    }

    func page(status: Int = 200, in frame: PageFrame) -> Page {
        let (title, hint) = (ElementID("sign-in"), ElementID("sign-in-hint"))
        let language = frame.language
        return Page(status: status, title: SignInPageText.signIn(in: language)) {
            Tag.div {
                Tag.h1 { SignInPageText.signIn(in: language) }
                Tag.p(.class("lead")) { SignInPageText.lead(in: language) }
            }
            Tag.section(.class("card"), .labelled(by: title)) {
                Tag.h2(.id(title)) {
                    SignInPageText.yourAccount(in: language, ["marketplace": frame.marketplace])
                }
                if let trouble {
                    Tag.p(.role("alert"), .class("trouble")) { trouble }
                }
                Tag.p(.id(hint), .class("soft")) { SignInPageText.hint(in: language) }
                Tag.form(.class("sign-in"), .post, .action(frame.path("authorize")), .described(by: hint)) {
                    Tag.input(.type("hidden"), .name(Field.pending), .value(pending))
                    account(in: language)
                    password(in: language)
                    link(in: language)
                    Tag.div(.class("acts")) {
                        Tag.button(.type("submit")) { SignInPageText.signIn(in: language) }
                        Tag.button(
                            .class("plain"), .type("submit"), .name(Field.cancel), .value("yes"), .unchecked
                        ) { SignInPageText.cancel(in: language) }
                    }
                }
            }
        }
    }

    private func account(in language: PageLanguage) -> Markup {
        let id = ElementID("account")
        return Tag.div(.class("field")) {
            Tag.label(.for(id)) { SignInPageText.account(in: language) }
            Tag.input(
                .id(id), .name(Field.account), .type("text"), .value(name), .autocomplete("username"), .uncapitalised,
                .unspelled, .longest(SignInForm.longestName))
        }
    }

    private func password(in language: PageLanguage) -> Markup {
        let id = ElementID("password")
        return Tag.div(.class("field")) {
            Tag.label(.for(id)) { SignInPageText.password(in: language) }
            Tag.input(
                .id(id), .name(Field.password), .type("password"), .autocomplete("current-password"), .longest(1024))
        }
    }

    private func link(in language: PageLanguage) -> Markup {
        let id = ElementID("link")
        let field = Tag.div(.class("field")) {
            Tag.label(.for(id)) { SignInPageText.oneTimeLink(in: language) }
            Tag.input(
                .id(id), .name(Field.link), .type("text"), .autocomplete("off"), .uncapitalised, .unspelled,
                .longest(1024))
        }
        if isLinkOpen { return field }
        return Tag.details {
            Tag.summary { SignInPageText.useLink(in: language) }
            Tag.p(.class("soft small")) { SignInPageText.pasteLink(in: language) }
            field
        }
    }
}

/// A page that ends a sign-in or explains why it can't continue.
enum SignInNotice: Sendable, Hashable {
    /// The app's request is invalid, for this reason.
    case stranger(SignInPageText)
    /// The sign-in was already completed or has expired.
    case over
    /// The sign-in began in another browser.
    case otherBrowser
    /// The person is now signed in on the resolution page, which opens with these claims.
    case signedIn(ResolutionClaims)

    func page(in frame: PageFrame) -> Page {
        let title = title(in: frame.language)
        return Page(status: status, title: title) {
            Tag.h1 { title }
            Tag.section(.class("card")) {
                Tag.p { words(frame) }
                if case .signedIn(let claims) = self {
                    Tag.div(.class("acts")) {
                        Tag.a(
                            .class("button"),
                            .href(
                                PageLink(
                                    PageFrame(.resolution, tenant: frame.tenant, marketplace: "").path(for: claims)))
                        ) { SignInPageText.showDevices(in: frame.language) }
                    }
                }
            }
        }
    }

    private var status: Int {
        switch self {
        case .stranger: 400
        case .over: 410
        case .otherBrowser: 403
        case .signedIn: 200
        }
    }

    private func title(in language: PageLanguage) -> String {
        switch self {
        case .stranger: SignInPageText.stranger(in: language)
        case .over: SignInPageText.over(in: language)
        case .otherBrowser: SignInPageText.elsewhere(in: language)
        case .signedIn: SignInPageText.signedIn(in: language)
        }
    }

    private func words(_ frame: PageFrame) -> String {
        let language = frame.language
        return switch self {
        case .stranger(let why):
            SignInPageText.strangerText(
                in: language, ["reason": why(in: language, ["marketplace": frame.marketplace])])
        case .over: SignInPageText.overText(in: language)
        case .otherBrowser: SignInPageText.elsewhereText(in: language)
        case .signedIn: SignInPageText.signedInText(in: language, ["marketplace": frame.marketplace])
        }
    }
}
