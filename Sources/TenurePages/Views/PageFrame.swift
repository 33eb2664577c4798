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

        var words: String {
            switch self {
            case .simulated: "Simulated: licenses here are for trying out. No real device accepts them."
            case .virtualClock: "Virtual clock: time on this server is moved for trying out."
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

    /// Whose session a page is for.
    package enum Whose: Sendable, Hashable {
        /// An account's at a marketplace.
        case account(AccountID)
        /// The holder's of a license, by the masked text of its key.
        case license(String)
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
        notices: [Notice] = [],
        session: Session? = nil
    ) {
        self.site = site
        self.tenant = tenant
        self.marketplace = marketplace
        self.supportEmail = supportEmail
        self.notices = notices
        self.session = session
    }

    /// A path below these pages.
    package func path(_ segments: String..., for claims: ResolutionClaims = .none) -> PagePath {
        PagePath([site.rawValue, tenant.text] + segments, query: claims.query)
    }
}

extension PageFrame.Session {
    /// The field that every form of a session carries.
    package var hiddenCode: Markup { Tag.input(.type("hidden"), .name("code"), .value(formCode)) }
}

/// Pages that belong together, each under a first segment of its own: no cookie of one is sent to another.
package enum PageSite: String, Sendable, Hashable {
    /// For people whose app does not open.
    case resolution = "resolve"
    /// For the holder of one license.
    case holder = "portal"

    /// What a letter from these pages is about.
    package var matter: String {
        switch self {
        case .resolution: "an app does not open"
        case .holder: "devices of a license"
        }
    }
}
