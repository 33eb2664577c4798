/// What the seed and Kollus's player read of a downloaded content. Only there, 0 of a maximum means that there is no
/// limit; inside, no limit is nil.
public struct KollusFacts: Sendable, Hashable {
    /// `DRMExpired`: the server stopped it.
    public var isStopped: Bool
    /// `DRMExpireDate`; nil without one.
    public var expiresAt: Timestamp?
    /// `DRMExpireCountMax`; 0 means no limit.
    public var playsGranted: Int
    /// `DRMExpireCount`: the plays that are left.
    public var playsLeft: Int
    /// `DRMTotalExpirePlayTime`, in seconds; 0 means no limit.
    public var secondsGranted: Int64
    /// `DRMExpirePlayTime`: the seconds that are left.
    public var secondsLeft: Int64

    /// States the facts.
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

    /// States a grant and its ledger as Kollus would. A limit of nothing at all, which Kollus cannot say, is told as one
    /// of which nothing is left.
    public init(_ grant: ContentGrant, _ ledger: ContentLedger) {
        let terms = grant.terms
        self.init(
            isStopped: ledger.stop != nil, expiresAt: terms.expiresAt,
            playsGranted: terms.plays.map { max(1, $0) } ?? 0, playsLeft: ledger.playsLeft(of: terms) ?? 0,
            secondsGranted: terms.playSeconds.map { max(1, $0) } ?? 0,
            secondsLeft: ledger.secondsLeft(of: terms) ?? 0)
    }

    /// The seed's three tests: the flag, the play time, the plays.
    public var isExpired: Bool {
        isStopped || (secondsGranted > 0 && secondsLeft <= 0) || (playsGranted > 0 && playsLeft <= 0)
    }

    /// The same limit as it is inside: nil for 0.
    public static func limit<Number: BinaryInteger>(ofMaximum maximum: Number) -> Number? {
        maximum > 0 ? maximum : nil
    }
}
