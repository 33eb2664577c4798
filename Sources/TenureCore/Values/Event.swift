/// The record of a change, written in the same transaction as the change (design §4).
public struct Event: Sendable, Hashable {
    /// What happened.
    public let kind: EventKind

    /// When, by the server's clock.
    public let at: Timestamp

    /// Who did it.
    public let actor: Actor

    /// What it concerns.
    public let subject: Subject

    /// The facts that changed.
    public let facts: [Reason.Evidence]

    /// Puts an event together.
    public init(
        _ kind: EventKind, at: Timestamp, actor: Actor, about subject: Subject, facts: [Reason.Evidence] = []
    ) {
        self.kind = kind
        self.at = at
        self.actor = actor
        self.subject = subject
        self.facts = facts
    }

    /// The same event with one fact more.
    public func adding(_ fact: Reason.Evidence) -> Event {
        Event(kind, at: at, actor: actor, about: subject, facts: facts + [fact])
    }
}

extension Event {
    /// What an event concerns: always somebody's, and no more than it concerns; what is nil, it has nothing to do with.
    public struct Subject: Sendable, Hashable {
        /// Whose event it is.
        public let tenant: TenantID

        /// Which product.
        public let product: ProductID?

        /// Which app.
        public let app: AppleItemID?

        /// Whose account at the marketplace.
        public let account: AccountID?

        /// Which license, of a product or of an app.
        public let license: LicenseID?

        /// Which activation.
        public private(set) var activation: ActivationID?

        /// Which enrolment.
        public let enrolment: EnrolmentID?

        /// Which license of a content.
        public let contentLicense: ContentLicenseID?

        /// Names what an event concerns.
        public init(
            tenant: TenantID, product: ProductID? = nil, app: AppleItemID? = nil, account: AccountID? = nil,
            license: LicenseID? = nil, activation: ActivationID? = nil, enrolment: EnrolmentID? = nil,
            contentLicense: ContentLicenseID? = nil
        ) {
            self.tenant = tenant
            self.product = product
            self.app = app
            self.account = account
            self.license = license
            self.activation = activation
            self.enrolment = enrolment
            self.contentLicense = contentLicense
        }

        /// Names a product, or a license of it.
        public init(_ product: ProductRef, license: LicenseID? = nil, activation: ActivationID? = nil) {
            self.init(tenant: product.tenant, product: product.product, license: license, activation: activation)
        }

        /// Names an account, or an app or a license that it has.
        public init(_ account: AccountRef, app: AppleItemID? = nil, license: LicenseID? = nil) {
            self.init(tenant: account.tenant, app: app, account: account.account, license: license)
        }

        /// The same, but for the activation.
        public func with(activation: ActivationID?) -> Subject {
            var subject = self
            subject.activation = activation
            return subject
        }
    }
}

/// Who acted.
public enum Actor: Sendable, Hashable, CustomStringConvertible {
    /// The app on a device.
    case device
    /// The operator: at the command line, or the token of that name.
    case `operator`(String)
    /// The holder of a license, on the license's page.
    case holder
    /// A person at a marketplace, on a page of the server's.
    case account(AccountID)
    /// Time, noticed by the server itself.
    case time
    /// App Store Connect, by a notification.
    case appStore

    /// `device`, `holder`, `time`, `app-store`, `operator:NAME` or `account:ID`.
    public var description: String {
        switch self {
        case .device: "device"
        case .holder: "holder"
        case .operator(let name): "operator:\(name)"
        case .account(let account): "account:\(account)"
        case .time: "time"
        case .appStore: "app-store"
        }
    }

    /// Reads what ``description`` writes; nil for anything else.
    public init?(text: String) {
        switch text {
        case "device": self = .device
        case "holder": self = .holder
        case "time": self = .time
        case "app-store": self = .appStore
        default:
            if text.hasPrefix("account:") {
                guard let account = AccountID(String(text.dropFirst("account:".count))) else { return nil }
                self = .account(account)
            } else {
                guard text.hasPrefix("operator:") else { return nil }
                self = .operator(String(text.dropFirst("operator:".count)))
            }
        }
    }
}

/// What happened: the stable name, and what is to be known of every event that has it.
///
/// An open set: a family makes its kinds in a file of its own and lists them. Two are the same when their names are.
public struct EventKind: Sendable, Hashable, CustomStringConvertible {
    /// The name on the wire.
    public let text: String

    /// What it means, in one sentence for people.
    public let sentence: String

    /// The facts that its events carry.
    public let facts: [Fact]

    /// The version of Tenure that recorded it first.
    public let since: String

    /// Declares a kind.
    public init(_ text: String, _ sentence: String, facts: [Fact] = [], since: String) {
        self.text = text
        self.sentence = sentence
        self.facts = facts
        self.since = since
    }

    /// Names a kind that was recorded, whether it is known here or not.
    public init(told text: String) { self.init(text, text, since: "") }

    /// The name on the wire.
    public var description: String { text }

    /// Compares names.
    public static func == (one: EventKind, other: EventKind) -> Bool { one.text == other.text }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
