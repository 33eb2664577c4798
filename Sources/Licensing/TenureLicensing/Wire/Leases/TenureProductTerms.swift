public import TenureCore
public import TenureFormats

/// What the vendor allows users without a license: `typ` `tenure-product+jwt`.
public struct TenureProductTerms: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-product+jwt"

    /// The envelope, bound to the product only: key hash, device and activation are `nil`.
    public let envelope: StatementEnvelope

    /// The product's display name.
    public let name: String

    /// How many days a trial lasts; 0 if trials are disabled.
    public let trialDays: Int

    /// Whether there is a free plan.
    public let freeTier: Bool

    /// Creates the terms with these values, which only ``init(_:_:)`` checks.
    public init(_ envelope: StatementEnvelope, name: String, trialDays: Int, freeTier: Bool) {
        self.envelope = envelope
        self.name = name
        self.trialDays = trialDays
        self.freeTier = freeTier
    }

    /// Reads the members that follow the envelope.
    ///
    /// - Throws: `.badMember` if a member is missing or the trial's length is negative.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        let days = Int(exactly: try members.require("trialDays", members.integer("trialDays")))
        guard let days, days >= 0 else { throw FormatError(.badMember, "a trial must last 0 days or more") }
        self.init(
            envelope, name: try members.require("name", members.string("name")), trialDays: days,
            freeTier: try members.require("freeTier", members.boolean("freeTier")))
    }

    /// Writes the members that follow the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("name", name)
        object.member("trialDays", trialDays)
        object.member("freeTier", freeTier)
    }
}

/// When a device's trial of a product began, by the server's clock: `typ` `tenure-trial+jwt`.
///
/// The server stores each device's first start. A client that lost its data therefore receives the same start again.
public struct TenureTrial: TenureStatement {
    /// The value of the header's `typ`.
    public static let type = "tenure-trial+jwt"

    /// The envelope, bound to the device; key hash and activation are `nil`.
    public let envelope: StatementEnvelope

    /// When the trial began.
    public let start: Timestamp

    /// How many days of 86,400 s the trial lasts, at least one.
    public let days: Int

    /// Creates a trial with these values, which only ``init(_:_:)`` checks.
    public init(_ envelope: StatementEnvelope, start: Timestamp, days: Int) {
        self.envelope = envelope
        self.start = start
        self.days = days
    }

    /// The first second after the trial.
    public var end: Timestamp { start.adding(days: days) }

    /// Reads the members that follow the envelope.
    ///
    /// - Throws: `.badMember` if a member is missing, the trial is shorter than a day, or the envelope names no device.
    public init(_ envelope: StatementEnvelope, _ members: FlatObject) throws(FormatError) {
        let start = try members.require("start", members.integer("start"))
        guard let days = Int(exactly: try members.require("days", members.integer("days"))), days > 0 else {
            throw FormatError(.badMember, "a trial must last at least one day")
        }
        guard envelope.device != nil else { throw FormatError(.badMember, "a trial must name a device") }
        self.init(envelope, start: Timestamp(seconds: start), days: days)
    }

    /// Writes the members that follow the envelope.
    public func write(into object: inout JSONObjectWriter) {
        object.member("start", start.seconds)
        object.member("days", days)
    }
}
