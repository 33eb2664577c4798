public import TenureContent
public import TenureCore
public import TenureStore

// The conversions of content ids and codes to columns.

extension ContentID: StorableAs {
    /// The id's text, as stored in a column.
    public var simple: String { text }
    /// Rejects text that isn't a content id.
    public init?(simple: String) { self.init(simple) }
}

extension PlaySessionID: StorableAs {
    /// The same 16 bytes as a UUID, for storage in a column.
    public var simple: ActivationID { ActivationID(high: high, low: low) }
    /// Accepts any 16 bytes.
    public init?(simple: ActivationID) { self.init(high: simple.high, low: simple.low) }
}

extension Enrolment.State: StorableCode {}
extension ContentLicense.State: StorableCode {}
extension ContentTerms.Basis: StorableCode {}
extension ContentTerms.WhenOver: StorableCode {}
extension ContentTerms.Ledger: StorableCode {}
extension ContentCatalog.Access: StorableCode {}
