package import TenureCore

/// The parts that all pages of a marketplace or of a vendor's licenses share, such as the name, notices, session and
/// language.
package struct PageFrame: Sendable, Hashable {
    /// A warning about the server at the top of each page.
    package enum Notice: Sendable, Hashable, CaseIterable {
        /// The server issues simulated licenses, which no real device accepts.
        case simulated
        /// The server's clock has been shifted for testing (`--clock`).
        case virtualClock

        /// The notices that apply to every page of a server.
        package static func persistent(_ facts: ServerFacts) -> [Notice] {
            facts.hasVirtualClock ? [.virtualClock] : []
        }

        var words: FrameText {
            switch self {
            case .simulated: .simulated
            case .virtualClock: .virtualClock
            }
        }
    }

    /// The group of pages that this page belongs to.
    package var site: PageSite
    /// The tenant that the pages belong to.
    package var tenant: TenantID
    /// The name of the marketplace or vendor.
    package var marketplace: String
    package var brand: PageBrand
    /// The email address of the vendor's support; `nil` if the vendor has configured none.
    package var supportEmail: String?
    /// The vendor's page for support; `nil` if the vendor has configured none.
    package var supportURL: PageLink?
    package var notices: [Notice]
    /// The page's session; `nil` without one.
    package var session: Session?
    /// The language and the time zone of the page.
    package var locale: PageLocale
    /// Whether the person chose the language. If so, links and forms repeat the choice.
    var isLanguageChosen = false
    /// The page's path segments below the start page; `nil` for a page that responds to a form.
    var here: [String]?
    /// The page's query without the language and the time zone.
    var query: [QueryItem] = []
    /// The `Set-Cookie` value that remembers a choice of language and time zone; `nil` if the request makes no choice.
    var choice: String?

    /// The owner of a session.
    package enum Whose: Sendable, Hashable {
        /// A person who has signed in, with the account's name or with the vendor's name for the person.
        case person(String)
        /// The holder of a license, with the license's masked key.
        case license(String)
    }

    /// The values of a session that a page shows and that its forms submit.
    package struct Session: Sendable, Hashable {
        package var whose: Whose
        /// The reference that the support team needs to find the session.
        package var reference: SupportReference
        /// The code in the session's forms; see ``SessionToken/formCode(for:)``.
        package var formCode: String

        package init(_ whose: Whose, reference: SupportReference, formCode: String) {
            self.whose = whose
            self.reference = reference
            self.formCode = formCode
        }
    }

    package var language: PageLanguage { locale.language }

    package init(
        _ site: PageSite, tenant: TenantID, marketplace: String, supportEmail: String? = nil,
        supportURL: PageLink? = nil, notices: [Notice] = [], session: Session? = nil, language: PageLanguage = .english
    ) {
        self.site = site
        self.tenant = tenant
        self.marketplace = marketplace
        brand = PageBrand(named: marketplace)
        self.supportEmail = supportEmail
        self.supportURL = supportURL
        self.notices = notices
        self.session = session
        locale = PageLocale(language)
    }

    /// Creates the frame of a tenant's pages.
    ///
    /// - Parameters:
    ///   - name: The name of the tenant's marketplace; `nil` for the tenant's own name.
    ///   - supportEmail: The e-mail address of the marketplace's support; `nil` for the tenant's own address.
    package init(
        _ site: PageSite, of vendor: Tenant, as name: String? = nil, supportEmail: String? = nil,
        notices: [Notice] = []
    ) {
        self.init(
            site, tenant: vendor.id, marketplace: name ?? vendor.brand?.name ?? vendor.name,
            supportEmail: supportEmail ?? vendor.helpEmail, supportURL: vendor.supportURL.flatMap(PageLink.init(web:)),
            notices: notices)
        brand = PageBrand(of: vendor, named: marketplace)
    }

    /// The path of a page of this site, with a chosen language and the claims as its query.
    package func path(_ segments: String..., for claims: ResolutionClaims = .none) -> PagePath {
        PagePath(
            site.segments(of: tenant) + segments,
            query: claims.query + [("lang", isLanguageChosen ? language.rawValue : nil)])
    }
}

extension PageFrame {
    /// A collapsed form that releases a device; empty without a session.
    ///
    /// - Parameter fields: The hidden fields that identify the device.
    package func releaseForm(
        warning: String, button: String, @Markup.Builder fields: () -> Markup
    ) -> Markup {
        guard let session else { return .nothing }
        return Tag.details(.class("act")) {
            Tag.summary { FrameText.release(in: language) }
            Tag.form(.post, .action(path("release"))) {
                Tag.p(.class("small")) { warning }
                session.hiddenCode
                fields()
                Tag.button(.class("danger"), .type("submit")) { button }
            }
        }
    }
}

extension PageFrame.Session {
    /// The hidden field that every form of a session contains.
    package var hiddenCode: Markup { Tag.input(.type("hidden"), .name("code"), .value(formCode)) }
}
