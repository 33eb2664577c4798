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
        /// A person who has signed in, by the name of the account or the vendor's name for them.
        case person(String)
        /// The holder of a license, identified by its masked key.
        case license(String)
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
        _ site: PageSite, tenant: TenantID, marketplace: String, supportEmail: String? = nil,
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
