public import TenureCore

/// A downloaded item's limits in the form of Kollus's player.
///
/// Only in this form does a maximum of 0 mean no limit; everywhere else `nil` does.
public struct KollusFacts: Sendable, Hashable {
    /// Kollus's `DRMExpired`: whether the server stopped the license.
    public var isStopped: Bool
    /// Kollus's `DRMExpireDate`; `nil` if there is no end date.
    public var expiresAt: Timestamp?
    /// Kollus's `DRMExpireCountMax`; 0 means no limit.
    public var playsGranted: Int
    /// Kollus's `DRMExpireCount`: the plays left; meaningless if ``playsGranted`` is 0.
    public var playsLeft: Int
    /// Kollus's `DRMTotalExpirePlayTime`, in seconds; 0 means no limit.
    public var secondsGranted: Int64
    /// Kollus's `DRMExpirePlayTime`: the seconds left; meaningless if ``secondsGranted`` is 0.
    public var secondsLeft: Int64

    /// Creates a value from its parts, which are in Kollus's form.
    public init(
        isStopped: Bool = false, expiresAt: Timestamp? = nil, playsGranted: Int = 0, playsLeft: Int = 0,
        secondsGranted: Int64 = 0, secondsLeft: Int64 = 0
    ) {
        self.isStopped = isStopped
        self.expiresAt = expiresAt
        self.playsGranted = playsGranted
        self.playsLeft = playsLeft
        self.secondsGranted = secondsGranted
        self.secondsLeft = secondsLeft
    }

    /// Converts a grant and its ledger to Kollus's form.
    ///
    /// A limit of 0 can't be expressed in this form, so it becomes a limit of 1 with 0 left.
    public init(_ grant: ContentGrant, _ ledger: ContentLedger) {
        let terms = grant.terms
        self.init(
            isStopped: ledger.stop != nil, expiresAt: terms.expiresAt,
            playsGranted: terms.plays.map { max(1, $0) } ?? 0, playsLeft: ledger.playsLeft(of: terms) ?? 0,
            secondsGranted: terms.playSeconds.map { max(1, $0) } ?? 0,
            secondsLeft: ledger.secondsLeft(of: terms) ?? 0)
    }

    /// Whether the download has ended: it is stopped, or its play time or its plays are used up.
    ///
    /// These are the three tests of the player's guide; the end date isn't among them.
    public var isExpired: Bool {
        isStopped || (secondsGranted > 0 && secondsLeft <= 0) || (playsGranted > 0 && playsLeft <= 0)
    }

    /// Converts a maximum in Kollus's form to a limit; 0 becomes `nil`.
    public static func limit<Number: BinaryInteger>(ofMaximum maximum: Number) -> Number? {
        maximum > 0 ? maximum : nil
    }
}
