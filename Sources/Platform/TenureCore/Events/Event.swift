/// A record of a change, written in the same transaction as the change.
public struct Event: Sendable, Hashable {
    /// The kind of the recorded change, such as `license.issued`.
    public let kind: EventKind

    /// The time of the event by the server's clock.
    public let at: Timestamp

    /// The actor that caused the event.
    public let actor: Actor

    /// The tenant and the records that the event concerns.
    public let subject: Subject

    /// The facts recorded with the event; ``EventKind/facts`` declares which may appear.
    public let facts: [Reason.Evidence]

    /// Creates an event from its parts.
    public init(
        _ kind: EventKind, at: Timestamp, actor: Actor, about subject: Subject, facts: [Reason.Evidence] = []
    ) {
        self.kind = kind
        self.at = at
        self.actor = actor
        self.subject = subject
        self.facts = facts
    }

    /// Returns a copy of the event with one more fact.
    public func adding(_ fact: Reason.Evidence) -> Event {
        Event(kind, at: at, actor: actor, about: subject, facts: facts + [fact])
    }

    /// The reference of the holder whom the event concerns, in place of the person's name; `nil` for none.
    package var holderRef: String? { facts.first { $0.name == Self.holderRefName }?.value.text }

    /// The name of the fact with a holder's reference.
    package static let holderRefName = "holderRef"
}

extension Event {
    /// The records that an event concerns.
    ///
    /// An event always belongs to a tenant. Every other property is `nil` unless the event concerns such a record.
    public struct Subject: Sendable, Hashable {
        /// The id of the tenant that the event belongs to.
        public let tenant: TenantID

        /// The id of the product that the event or its license belongs to, if any.
        public let product: ProductID?

        /// Apple's id of the marketplace app that the event concerns, if any.
        public let app: AppleItemID?

        /// The id of the marketplace account that the event concerns, if any.
        public let account: AccountID?

        /// The id of the product or app license that the event concerns, if any.
        public let license: LicenseID?

        /// The id of the activation that the event concerns, if any.
        public private(set) var activation: ActivationID?

        /// The id of the enrolment that the event concerns, if any.
        public let enrolment: EnrolmentID?

        /// The id of the content license that the event concerns, if any.
        public let contentLicense: ContentLicenseID?

        /// Creates a subject from its parts.
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

        /// Creates a subject for a product, or for one of its licenses.
        public init(_ product: ProductRef, license: LicenseID? = nil, activation: ActivationID? = nil) {
            self.init(tenant: product.tenant, product: product.product, license: license, activation: activation)
        }

        /// Creates a subject for an account, or for an app or a license that the account holds.
        public init(_ account: AccountRef, app: AppleItemID? = nil, license: LicenseID? = nil) {
            self.init(tenant: account.tenant, app: app, account: account.account, license: license)
        }

        /// Returns a copy with a different activation.
        public func with(activation: ActivationID?) -> Subject {
            var subject = self
            subject.activation = activation
            return subject
        }
    }
}

/// A kind of event, with its stable name and its documentation.
///
/// The set is open: each feature declares its kinds in a file of its own and lists them. Two kinds are equal if their
/// names are equal.
public struct EventKind: Sendable, Hashable, CustomStringConvertible {
    /// The name used in the API, such as `license.issued`.
    public let text: String

    /// A one-sentence explanation for people.
    public let sentence: String

    /// The facts that events of this kind carry.
    public let facts: [Fact]

    /// The first version of Tenure that recorded this kind.
    public let since: String

    /// Declares a kind; the documentation is generated from these values.
    public init(_ text: String, _ sentence: String, facts: [Fact] = [], since: String) {
        self.text = text
        self.sentence = sentence
        self.facts = facts
        self.since = since
    }

    /// Creates a kind from a recorded name, even if this version doesn't know it.
    public init(told text: String) { self.init(text, text, since: "") }

    /// The same as ``text``.
    public var description: String { text }

    /// Compares two kinds by name.
    public static func == (one: EventKind, other: EventKind) -> Bool { one.text == other.text }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
