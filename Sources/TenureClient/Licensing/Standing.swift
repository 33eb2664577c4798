package import TenureCore

/// Where a client stands at one moment.
package struct Standing: Sendable, Hashable {
    /// The state and why.
    package let resolution: Resolution
    /// What the license gives now; empty unless licensed.
    package let entitlements: [LeaseFacts.Grant]
    /// Trusted time at that moment.
    package let now: Timestamp
    /// When to look again by itself: the state changes, an entitlement ends, or the server is to be asked; nil for
    /// never.
    package let wakes: Timestamp?
}
