public import TenureCore
public import TenureStore

// The names and words of content, as columns hold them.

extension ContentID: StorableAs {
    /// Its text.
    public var simple: String { text }
    /// Refuses what is no name of a content.
    public init?(simple: String) { self.init(simple) }
}

extension PlaySessionID: StorableAs {
    /// The same sixteen bytes.
    public var simple: ActivationID { ActivationID(high: high, low: low) }
    /// Takes any sixteen bytes.
    public init?(simple: ActivationID) { self.init(high: simple.high, low: simple.low) }
}

extension Enrolment.State: StorableCode {}
extension ContentLicense.State: StorableCode {}
extension ContentTerms.Basis: StorableCode {}
extension ContentTerms.WhenOver: StorableCode {}
extension ContentTerms.Ledger: StorableCode {}
extension ContentCatalog.Access: StorableCode {}
