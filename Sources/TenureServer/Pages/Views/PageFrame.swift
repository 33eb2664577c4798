package import TenureCore

/// What all pages of a marketplace have around them.
package struct PageFrame: Sendable, Hashable {
    /// What a person must know of the server itself.
    package enum Notice: Sendable, Hashable, CaseIterable {
        /// Licenses are made by the simulated engine, and no real device takes them (design §7).
        case simulated
        /// The server's time is moved for trying out (design §6, `--clock`).
        case virtualClock

        var words: String {
            switch self {
            case .simulated: "Simulated: licenses here are for trying out. No real device accepts them."
            case .virtualClock: "Virtual clock: time on this server is moved for trying out."
            }
        }
    }

    /// Whose marketplace.
    package var tenant: TenantID
    /// The marketplace's name.
    package var marketplace: String
    /// Where people write for help.
    package var supportEmail: String?
    /// What must be known of the server.
    package var notices: [Notice]
    /// The session that the page is for; nil without one.
    package var session: Session?

    /// What a page shows and sends of a session.
    package struct Session: Sendable, Hashable {
        /// Whose it is.
        package var account: AccountID
        /// What the operator finds it by.
        package var reference: SupportReference
        /// What its forms carry; see ``SessionToken/formCode(for:)``.
        package var formCode: String

        /// Describes a session.
        package init(account: AccountID, reference: SupportReference, formCode: String) {
            self.account = account
            self.reference = reference
            self.formCode = formCode
        }
    }

    /// Puts a frame together.
    package init(
        tenant: TenantID, marketplace: String, supportEmail: String? = nil, notices: [Notice] = [],
        session: Session? = nil
    ) {
        self.tenant = tenant
        self.marketplace = marketplace
        self.supportEmail = supportEmail
        self.notices = notices
        self.session = session
    }

    /// A path below this marketplace's pages.
    func path(_ segments: String..., for claims: ResolutionClaims = .none) -> PagePath {
        PagePath(["resolve", tenant.text] + segments, query: claims.query)
    }
}

extension PageFrame.Session {
    /// The field that every form of a session carries.
    var hiddenCode: Markup { Tag.input(.type("hidden"), .name("code"), .value(formCode)) }
}
