package import TenureCore

/// The context that all pages of a marketplace, or of a vendor's licenses, share.
package struct PageFrame: Sendable, Hashable {
    /// What people must know about the server.
    package enum Notice: Sendable, Hashable, CaseIterable {
        /// Licenses come from the simulated engine, and no real device accepts them.
        case simulated
        /// The server's clock has been shifted for testing (`--clock`).
        case virtualClock

        /// The notices that apply to every page of a server.
        package static func standing(_ facts: ServerFacts) -> [Notice] { facts.hasVirtualClock ? [.virtualClock] : [] }

        var words: Spoken {
            switch self {
            case .simulated:
                Spoken(
                    "Simulation: licenses from this server are for testing. Real devices don’t accept them.",
                    "시뮬레이션: 여기의 라이선스는 시험용이며 실제 기기에서는 사용할 수 없습니다.")
            case .virtualClock:
                Spoken(
                    "Virtual clock: the time on this server is adjusted for testing.",
                    "가상 시계: 이 서버의 시간은 시험을 위해 조정되었습니다.")
            }
        }
    }

    /// The kind of pages.
    package var site: PageSite
    /// The tenant that the pages belong to.
    package var tenant: TenantID
    /// The name of the marketplace or vendor.
    package var marketplace: String
    /// The email address for help.
    package var supportEmail: String?
    /// The notices about the server.
    package var notices: [Notice]
    /// The page's session; `nil` without one.
    package var session: Session?
    package var language: PageLanguage
    /// Whether the person chose the language, so that links and forms keep it.
    var isLanguageChosen = false
    /// The page's path below the start page; empty for a page that is the response to a form.
    package var here: [String] = []

    /// The owner of a session.
    package enum Whose: Sendable, Hashable {
        /// An account at a marketplace.
        case account(AccountID)
        /// The holder of a license, identified by its masked key.
        case license(String)
        /// A holder of contents, by the vendor's name for them.
        case learner(String)
    }

    /// The parts of a session that a page shows and sends.
    package struct Session: Sendable, Hashable {
        package var whose: Whose
        /// The reference by which support finds the session.
        package var reference: SupportReference
        /// The code in its forms; see ``SessionToken/formCode(for:)``.
        package var formCode: String

        package init(_ whose: Whose, reference: SupportReference, formCode: String) {
            self.whose = whose
            self.reference = reference
            self.formCode = formCode
        }
    }

    package init(
        _ site: PageSite = .resolution, tenant: TenantID, marketplace: String, supportEmail: String? = nil,
        notices: [Notice] = [], session: Session? = nil, language: PageLanguage = .english
    ) {
        self.site = site
        self.tenant = tenant
        self.marketplace = marketplace
        self.supportEmail = supportEmail
        self.notices = notices
        self.session = session
        self.language = language
    }

    /// A path below these pages.
    package func path(_ segments: String..., for claims: ResolutionClaims = .none) -> PagePath {
        PagePath(
            site.place(of: tenant) + segments,
            query: claims.query + [("lang", isLanguageChosen ? language.rawValue : nil)])
    }
}

extension PageFrame.Session {
    /// The hidden field in every form of a session.
    package var hiddenCode: Markup { Tag.input(.type("hidden"), .name("code"), .value(formCode)) }
}

/// A group of pages with its own path, so that no other group receives its cookies.
package enum PageSite: Sendable, Hashable {
    /// Pages for people whose app doesn't open.
    case resolution
    /// Pages for the holder of a license.
    case holder
    /// Pages for a holder of contents that are kept offline.
    case learner
    /// Pages for signing in from an app.
    case signIn
    /// Pages about an app of a marketplace.
    case product

    /// The path segments of a tenant's start page; the paths of all other pages start with them.
    package func place(of tenant: TenantID) -> [String] { place(tenant.text) }

    /// The start page's path as a route pattern.
    package var pattern: String { place("{tenant}").map { "/" + $0 }.joined() }

    private func place(_ tenant: String) -> [String] {
        switch self {
        case .resolution: ["resolve", tenant]
        case .holder: ["portal", tenant]
        case .learner: ["content", tenant, "learner"]
        case .signIn: ["oauth", tenant]
        case .product: ["apps", tenant]
        }
    }

    /// The languages of the pages; the first is used if the browser accepts none of them.
    package var languages: [PageLanguage] {
        switch self {
        case .resolution, .holder, .signIn, .product: [.english]
        case .learner: PageLanguage.allCases
        }
    }

    /// The subject of emails from these pages to support.
    package var matter: Spoken {
        switch self {
        case .resolution: Spoken("an app doesn’t open", "앱이 열리지 않음")
        case .holder: Spoken("devices of a license", "라이선스의 기기")
        case .learner: Spoken("content on my devices", "내 기기의 콘텐츠")
        case .signIn: Spoken("signing in", "로그인")
        case .product: Spoken("an app", "앱")
        }
    }
}
