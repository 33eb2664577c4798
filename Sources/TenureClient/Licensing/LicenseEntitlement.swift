public import Foundation

/// A named capability that the license gives now.
public struct LicenseEntitlement: Sendable, Hashable {
    /// Its name, such as `sync`.
    public let name: String
    /// Its value, such as `25`; nil when it is only there or not.
    public let value: String?
    /// The first moment it no longer holds; nil when it holds as long as the license.
    public let end: Date?

    init(_ grant: LeaseFacts.Grant) {
        name = grant.name
        value = grant.value
        end = grant.end.map { Date($0.timestamp) }
    }
}
