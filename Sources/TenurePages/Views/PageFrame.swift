package import TenureCore
package import TenureServerKit

/// What all pages of a marketplace, or of a vendor's licenses, have around them.
package struct PageFrame: Sendable, Hashable {
    /// What a person must know of the server itself.
    package enum Notice: Sendable, Hashable, CaseIterable {
        /// Licenses are made by the simulated engine, and no real device takes them (design §7).
        case simulated
        /// The server's time is moved for trying out (design §6, `--clock`).
        case virtualClock

        /// What people must know of a server, whatever they look at.
        package static func standing(_ facts: ServerFacts) -> [Notice] { facts.hasVirtualClock ? [.virtualClock] : [] }

        var words: Spoken {
            switch self {
            case .simulated:
                Spoken(
                    "Simulated: licenses here are for trying out. No real device accepts them.",
                    "시뮬레이션: 여기의 라이선스는 시험용이며 실제 기기에서는 사용할 수 없습니다.")
            case .virtualClock:
                Spoken(
                    "Virtual clock: time on this server is moved for trying out.",
                    "가상 시계: 이 서버의 시간은 시험을 위해 조정되었습니다.")
            }
        }
    }

    /// Which pages they are.
    package var site: PageSite
    /// Whose they are.
    package var tenant: TenantID
    /// The marketplace's name, or the vendor's.
    package var marketplace: String
    /// Where people write for help.
    package var supportEmail: String?
    /// What must be known of the server.
    package var notices: [Notice]
    /// The session that the page is for; nil without one.
    package var session: Session?
    /// What the page is written in.
    package var language: PageLanguage
    /// Whether somebody chose it, so that links and forms carry it on.
    var isLanguageChosen = false
    /// Where the page is asked for again, below the start: nowhere below it for what a form led to.
    package var here: [String] = []

    /// Whose session a page is for.
    package enum Whose: Sendable, Hashable {
        /// An account's at a marketplace.
        case account(AccountID)
        /// The holder's of a license, by the masked text of its key.
        case license(String)
        /// A holder's of contents, by what the vendor calls them.
        case learner(String)
    }

    /// What a page shows and sends of a session.
    package struct Session: Sendable, Hashable {
        /// Whose it is.
        package var whose: Whose
        /// What the operator finds it by.
        package var reference: SupportReference
        /// What its forms carry; see ``SessionToken/formCode(for:)``.
        package var formCode: String

        /// Describes a session.
        package init(_ whose: Whose, reference: SupportReference, formCode: String) {
            self.whose = whose
            self.reference = reference
            self.formCode = formCode
        }
    }

    /// Puts a frame together.
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
    /// The field that every form of a session carries.
    package var hiddenCode: Markup { Tag.input(.type("hidden"), .name("code"), .value(formCode)) }
}

/// Pages that belong together, each under a path of its own: no cookie of one is sent to another.
package enum PageSite: Sendable, Hashable {
    /// For people whose app does not open.
    case resolution
    /// For the holder of one license.
    case holder
    /// For a holder of contents that are kept offline.
    case learner
    /// For whoever signs in to go on in an app.
    case signIn
    /// For whoever looks at an app of a marketplace.
    case product

    /// The segments of a tenant's start page, below which all others are.
    package func place(of tenant: TenantID) -> [String] { place(tenant.text) }

    /// The start page as endpoints declare it.
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

    /// The languages that they speak, the first where a browser likes none of them.
    package var languages: [PageLanguage] {
        switch self {
        case .resolution, .holder, .signIn, .product: [.english]
        case .learner: PageLanguage.allCases
        }
    }

    /// What a letter from these pages is about.
    package var matter: Spoken {
        switch self {
        case .resolution: Spoken("an app does not open", "앱이 열리지 않음")
        case .holder: Spoken("devices of a license", "라이선스의 기기")
        case .learner: Spoken("contents on my devices", "내 기기의 콘텐츠")
        case .signIn: Spoken("signing in", "로그인")
        case .product: Spoken("an app", "앱")
        }
    }
}
