public import TenureLicensing
public import TenureStore

extension LicenseKeyPrefix: StorableAs {
    /// The prefix's text.
    public var simple: String { text }
    /// Returns `nil` if the text isn't a license key prefix.
    public init?(simple: String) { self.init(simple) }
}
