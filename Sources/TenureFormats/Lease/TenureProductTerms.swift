public import TenureCore

/// What the vendor allows people without a license: `typ` `tenure-product+jwt`.
public struct TenureProductTerms: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-product+jwt"

    /// Bound to the product alone: key hash, device and activation are nil.
    public let envelope: StatementEnvelope

    /// The product's name for people.
    public let name: String

    /// How many days a trial lasts; 0 when trials are switched off.
    public let trialDays: Int

    /// Whether there is a free plan.
    public let freeTier: Bool

    /// Says what is allowed.
    public init(_ envelope: StatementEnvelope, name: String, trialDays: Int, freeTier: Bool) {
        self.envelope = envelope
        self.name = name
        self.trialDays = trialDays
        self.freeTier = freeTier
    }

    /// Reads what stands beside the envelope. Throws: `.badMember`.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        let days = Int(exactly: try members.require("trialDays", members.integer("trialDays")))
        guard let days, days >= 0 else { throw FormatError(.badMember, "a trial lasts 0 days or more") }
        self.init(
            envelope, name: try members.require("name", members.string("name")), trialDays: days,
            freeTier: try members.require("freeTier", members.boolean("freeTier")))
    }

    /// Writes what stands beside the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("name", name)
        object.member("trialDays", trialDays)
        object.member("freeTier", freeTier)
    }
}

/// When a device's trial of a product began, by the server's clock: `typ` `tenure-trial+jwt`.
///
/// The server keeps the first start of each device, so a client that lost everything is told the same again.
public struct TenureTrial: TenureStatement {
    /// The header's `typ`.
    public static let type = "tenure-trial+jwt"

    /// Bound to the device; key hash and activation are nil.
    public let envelope: StatementEnvelope

    /// When the trial began.
    public let start: Timestamp

    /// How many days of 86,400 s it lasts, at least one.
    public let days: Int

    /// Says when a trial began.
    public init(_ envelope: StatementEnvelope, start: Timestamp, days: Int) {
        self.envelope = envelope
        self.start = start
        self.days = days
    }

    /// The first moment after the trial.
    public var end: Timestamp { start.adding(days: days) }

    /// Reads what stands beside the envelope. Throws: `.badMember`.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        let start = try members.require("start", members.integer("start"))
        guard let days = Int(exactly: try members.require("days", members.integer("days"))), days > 0 else {
            throw FormatError(.badMember, "a trial lasts at least one day")
        }
        guard envelope.device != nil else { throw FormatError(.badMember, "a trial is bound to a device") }
        self.init(envelope, start: Timestamp(seconds: start), days: days)
    }

    /// Writes what stands beside the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("start", start.seconds)
        object.member("days", days)
    }
}
