/// What a decision about app licenses changes, to be saved in one transaction.
public struct AppConsequences: Sendable, Hashable {
    /// The licenses as they shall be, new or changed.
    public var licenses: [AppLicense]

    /// The grant as it shall be, when it changes.
    public var grant: AppGrant?

    /// What is to be recorded of it.
    public var events: [Event]

    /// Puts consequences together.
    public init(licenses: [AppLicense] = [], grant: AppGrant? = nil, events: [Event] = []) {
        self.licenses = licenses
        self.grant = grant
        self.events = events
    }

    /// Nothing changes.
    public static let none = AppConsequences()

    /// Whether nothing changes.
    public var isEmpty: Bool { self == .none }
}
