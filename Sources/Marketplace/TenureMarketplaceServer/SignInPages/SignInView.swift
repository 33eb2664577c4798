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
        return Page(status: status, title: "Sign in") {
            Tag.div {
                Tag.h1 { "Sign in" }
                Tag.p(.class("lead")) { "Sign in to your account to continue in the app." }
            }
            Tag.section(.class("card"), .labelled(by: title)) {
                Tag.h2(.id(title)) { "Your account at \(frame.marketplace)" }
                if let trouble {
                    Tag.p(.role("alert"), .class("trouble")) { trouble }
                }
                Tag.p(.id(hint), .class("soft")) { "The app learns who you are, but never sees your password." }
                Tag.form(.class("sign-in"), .post, .action(frame.path("authorize")), .described(by: hint)) {
                    Tag.input(.type("hidden"), .name(Field.pending), .value(pending))
                    account
                    password
                    link
                    Tag.div(.class("acts")) {
                        Tag.button(.type("submit")) { "Sign in" }
                        Tag.button(
                            .class("plain"), .type("submit"), .name(Field.cancel), .value("yes"), .unchecked
                        ) { "Cancel" }
                    }
                }
            }
        }
    }

    private var account: Markup {
        let id = ElementID("account")
        return Tag.div(.class("field")) {
            Tag.label(.for(id)) { "Account or e-mail" }
            Tag.input(
                .id(id), .name(Field.account), .type("text"), .value(name), .autocomplete("username"), .uncapitalised,
                .unspelled, .longest(SignInForm.longestName))
        }
    }

    private var password: Markup {
        let id = ElementID("password")
        return Tag.div(.class("field")) {
            Tag.label(.for(id)) { "Password" }
            Tag.input(
                .id(id), .name(Field.password), .type("password"), .autocomplete("current-password"), .longest(1024))
        }
    }

    private var link: Markup {
        let id = ElementID("link")
        let field = Tag.div(.class("field")) {
            Tag.label(.for(id)) { "One-time link" }
            Tag.input(
                .id(id), .name(Field.link), .type("text"), .autocomplete("off"), .uncapitalised, .unspelled,
                .longest(1024))
        }
        if isLinkOpen { return field }
        return Tag.details {
            Tag.summary { "Use a one-time link instead" }
            Tag.p(.class("soft small")) { "Paste the link that support sent you and leave the password empty." }
            field
        }
    }
}

/// A page that ends a sign-in or explains why it can't continue.
enum SignInNotice: Sendable, Hashable {
    /// The app's request is invalid, for this reason.
    case stranger(String)
    /// The sign-in was already completed or has expired.
    case over
    /// The sign-in began in another browser.
    case fallbackRoute
    /// The person is now signed in on the resolution page.
    case signedIn(ResolutionClaims)

    func page(in frame: PageFrame) -> Page {
        Page(status: status, title: title) {
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
                        ) { "Show your devices" }
                    }
                }
            }
        }
    }

    private var status: Int {
        switch self {
        case .stranger: 400
        case .over: 410
        case .fallbackRoute: 403
        case .signedIn: 200
        }
    }

    private var title: String {
        switch self {
        case .stranger: "The app can’t sign you in"
        case .over: "This sign-in has ended"
        case .fallbackRoute: "Please start again"
        case .signedIn: "You are signed in"
        }
    }

    private func words(_ frame: PageFrame) -> String {
        switch self {
        case .stranger(let why): "\(why) No data was sent. Please contact the developer of the app."
        case .over: "It has been completed already, or took too long. Go back to the app and sign in again."
        case .fallbackRoute:
            "This sign-in was started in another browser or app. You weren’t signed in. Go back to where you started "
                + "and sign in there."
        case .signedIn: "You stay signed in at \(frame.marketplace) on this device for half an hour."
        }
    }
}
