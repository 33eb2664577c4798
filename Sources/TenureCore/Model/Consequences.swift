/// What a decision changes, to be saved in one transaction; empty when everything is already as it was asked to be.
public struct Consequences: Sendable, Hashable {
    /// The license as it shall be, when it changes.
    public var license: License?

    /// The activation as it shall be, new or released, when one changes.
    public var activation: Activation?

    /// What is to be recorded of it.
    public var events: [Event]

    /// Puts consequences together.
    public init(license: License? = nil, activation: Activation? = nil, events: [Event] = []) {
        self.license = license
        self.activation = activation
        self.events = events
    }

    /// Nothing changes.
    public static let none = Consequences()

    /// Whether nothing changes.
    public var isEmpty: Bool { self == .none }
}
