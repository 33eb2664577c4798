public import TenureCore

/// An account as a catalog file names it; what is nil is left as it is.
public struct ListedAccount: Sendable, Hashable {
    /// Its name.
    public let ref: AccountRef
    /// Where the person can be written to.
    public let email: String?
    /// The apps that are granted to it.
    public let apps: [AppleItemID]
    /// When those grants end.
    public let end: LicenseEdit.End?
}
