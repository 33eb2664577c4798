/// The record of a change, written in the same transaction as the change (design §4).
public struct Event: Sendable, Hashable {
    /// What happened.
    public let kind: EventKind

    /// When, by the server's clock.
    public let at: Timestamp

    /// Whose product it concerns.
    public let product: ProductRef

    /// Which license it concerns.
    public let license: LicenseID

    /// Which activation it concerns, if one.
    public let activation: ActivationID?

    /// Who did it.
    public let actor: Actor

    /// The facts that changed.
    public let detail: [Reason.Evidence]

    /// Puts an event together.
    public init(
        _ kind: EventKind, at: Timestamp, product: ProductRef, license: LicenseID, activation: ActivationID? = nil,
        actor: Actor, detail: [Reason.Evidence] = []
    ) {
        self.kind = kind
        self.at = at
        self.product = product
        self.license = license
        self.activation = activation
        self.actor = actor
        self.detail = detail
    }
}

/// Who acted.
public enum Actor: Sendable, Hashable, CustomStringConvertible {
    /// The app on a device.
    case device
    /// The operator: at the command line, or the token of that name.
    case `operator`(String)
    /// Time, noticed by the server itself.
    case time

    /// `device`, `time` or `operator:NAME`.
    public var description: String {
        switch self {
        case .device: "device"
        case .operator(let name): "operator:\(name)"
        case .time: "time"
        }
    }

    /// Reads what ``description`` writes; nil for anything else.
    public init?(text: String) {
        switch text {
        case "device": self = .device
        case "time": self = .time
        default:
            guard text.hasPrefix("operator:") else { return nil }
            self = .operator(String(text.dropFirst("operator:".count)))
        }
    }
}

/// The stable name of what happened.
public struct EventKind: Sendable, Hashable, CustomStringConvertible {
    /// The name on the wire.
    public let text: String

    /// Names a kind.
    public init(_ text: String) { self.text = text }

    /// The name on the wire.
    public var description: String { text }

    /// A license was granted.
    public static let licenseIssued = EventKind("license.issued")
    /// A term was replaced by a later one.
    public static let licenseRenewed = EventKind("license.renewed")
    /// Policy, holder or term were edited.
    public static let licenseChanged = EventKind("license.changed")
    /// The key was replaced; the old one is dead.
    public static let licenseRekeyed = EventKind("license.rekeyed")
    /// Stopped, reversibly.
    public static let licenseSuspended = EventKind("license.suspended")
    /// No longer stopped.
    public static let licenseReinstated = EventKind("license.reinstated")
    /// Stopped, finally.
    public static let licenseRevoked = EventKind("license.revoked")
    /// Given back by its holder.
    public static let licenseReturned = EventKind("license.returned")
    /// The term ended, and the server wrote it down.
    public static let licenseExpired = EventKind("license.expired")
    /// A device took a seat.
    public static let activationCreated = EventKind("activation.created")
    /// A seat was given back.
    public static let activationReleased = EventKind("activation.released")
}
