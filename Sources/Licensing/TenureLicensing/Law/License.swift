public import TenureCore

/// A grant of a product to a holder under a policy.
public struct License: Sendable, Hashable {
    /// The id by which the API and events refer to the license.
    public let id: LicenseID

    /// The product that the license is for, with its tenant.
    public let product: ProductRef

    /// The stored part of the license's current key.
    public internal(set) var key: LicenseKey

    /// The root from which the current key was derived; `nil` for a random key.
    public internal(set) var keyRoot: KeyRootID?

    /// The highest generation of a key that was derived for the license; 0 if none was.
    public internal(set) var keyGeneration: Int

    /// The policy, the holder and the term, which the vendor can change.
    public internal(set) var terms: LicenseTerms

    /// The state as last recorded; use ``state(at:)`` to take the passing of time into account.
    public internal(set) var recordedState: License.State

    /// When the license was issued, by the server's clock.
    public let issuedAt: Timestamp

    /// When the license was first activated on a device; `nil` if it never was.
    public internal(set) var firstActivatedAt: Timestamp?

    /// Until when released devices count against the limit of different devices; `nil` if no release was recorded.
    public internal(set) var devicesCountUntil: Timestamp?

    /// Whether the license was paid for with test money, so that it isn't counted as sold.
    public let isTest: Bool

    /// Creates a license from a stored record without checking any rule.
    public init(
        id: LicenseID, product: ProductRef, key: LicenseKey, terms: LicenseTerms, recordedState: License.State,
        issuedAt: Timestamp, firstActivatedAt: Timestamp?, devicesCountUntil: Timestamp? = nil,
        keyRoot: KeyRootID? = nil, keyGeneration: Int = 0, isTest: Bool = false
    ) {
        self.id = id
        self.product = product
        self.key = key
        self.keyRoot = keyRoot
        self.keyGeneration = keyGeneration
        self.terms = terms
        self.recordedState = recordedState
        self.issuedAt = issuedAt
        self.firstActivatedAt = firstActivatedAt
        self.devicesCountUntil = devicesCountUntil
        self.isTest = isTest
    }

    /// The id of the policy that the license follows.
    public var policy: PolicyID { terms.policy }

    /// What the current key was derived from; `nil` for a random key.
    package var keyDerivation: LicenseKey.Derivation? {
        keyRoot.map { LicenseKey.Derivation(root: $0, generation: keyGeneration) }
    }

    /// The holder as opaque text; `nil` if none was given.
    public var holder: String? { terms.holder }

    /// The period for which the license is granted.
    public var term: Term { terms.term }

    /// The state at this time: the recorded state, or `expired` once the term has ended.
    ///
    /// A suspended, revoked or returned license keeps that state after its term has ended.
    public func state(at now: Timestamp) -> License.State {
        guard recordedState.isOpen else { return recordedState }
        return term.isOver(at: now) ? .expired : openState
    }

    /// The state of a license that is neither stopped nor expired.
    package var openState: License.State { firstActivatedAt == nil ? .issued : .active }
}

extension License {
    /// A product license's state, which has the same cases as an app license's.
    public typealias State = LifecycleState

    /// The rules for state changes, with the reasons for refusals.
    static let chart = LifecycleState.chart
}

/// The changes of a decision, to be saved in one transaction.
///
/// It is empty if the records are already as requested.
public struct Consequences: Sendable, Hashable {
    /// The license to save; `nil` if it doesn't change.
    public var license: License?

    /// The new, updated, released or restored activation to save; `nil` if none changes.
    public var activation: Activation?

    /// Further activations to save: those that a transfer of the license releases.
    public var activations: [Activation] = []

    /// The former keys to save: the key that this decision replaces, and those that fewer devices may use from now on.
    public var formerKeys: [FormerKey] = []

    /// The events to record, in this order.
    public var events: [Event] = []

    /// No changes.
    public static let none = Consequences()

    /// Whether nothing changes.
    public var isEmpty: Bool { self == .none }
}
