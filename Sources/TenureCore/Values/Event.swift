/// The record of a change, written in the same transaction as the change (design §4).
public struct Event: Sendable, Hashable {
    /// What happened.
    public let kind: EventKind

    /// When, by the server's clock.
    public let at: Timestamp

    /// Whose event it is.
    public let tenant: TenantID

    /// Which product it concerns; nil when it concerns none.
    public let product: ProductID?

    /// Which app it concerns; nil when it concerns none.
    public let app: AppleItemID?

    /// Whose account at the marketplace it concerns; nil when it concerns none.
    public let account: AccountID?

    /// Which license, of a product or of an app, it concerns; nil when it concerns none.
    public let license: LicenseID?

    /// Which activation it concerns, if one.
    public let activation: ActivationID?

    /// Who did it.
    public let actor: Actor

    /// The facts that changed.
    public let detail: [Reason.Evidence]

    /// Puts an event together from what a store holds.
    public init(
        _ kind: EventKind, at: Timestamp, tenant: TenantID, product: ProductID? = nil, app: AppleItemID? = nil,
        account: AccountID? = nil, license: LicenseID?, activation: ActivationID? = nil, actor: Actor,
        detail: [Reason.Evidence] = []
    ) {
        self.kind = kind
        self.at = at
        self.tenant = tenant
        self.product = product
        self.app = app
        self.account = account
        self.license = license
        self.activation = activation
        self.actor = actor
        self.detail = detail
    }

    /// Puts an event about a product's license together.
    public init(
        _ kind: EventKind, at: Timestamp, product: ProductRef, license: LicenseID, activation: ActivationID? = nil,
        actor: Actor, detail: [Reason.Evidence] = []
    ) {
        self.init(
            kind, at: at, tenant: product.tenant, product: product.product, license: license, activation: activation,
            actor: actor, detail: detail)
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

    /// `device`, `holder`, `time`, `operator:NAME` or `account:ID`.
    public var description: String {
        switch self {
        case .device: "device"
        case .holder: "holder"
        case .operator(let name): "operator:\(name)"
        case .account(let account): "account:\(account)"
        case .time: "time"
        }
    }

    /// Reads what ``description`` writes; nil for anything else.
    public init?(text: String) {
        switch text {
        case "device": self = .device
        case "holder": self = .holder
        case "time": self = .time
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
