public import TenureCore

/// The result of a request for a content item, with the changes to save.
public struct ContentAnswer: Sendable, Hashable {
    /// How the request was decided; the API uses the same names.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The device gets a version newer than the one that it named, with its grant.
        case renewed
        /// The device gets the current grant again, because no renewal is due.
        case unchanged
        /// The request is refused for now; the device keeps its grant and content.
        case refused
        /// The request is refused for good: the device locks or deletes the content.
        case terminal
        /// The request names a license that the device doesn't have.
        case invalid
        /// The server can't decide now; the device repeats the request later.
        case transient
    }

    /// The action that a device takes after a refusal.
    public enum Act: String, Sendable, Hashable, CaseIterable {
        /// The device keeps its grant and content.
        case none
        /// The device stops playing the content.
        case lock
        /// The device deletes the content.
        case delete
    }

    /// How the request was decided; ``act`` and ``grant`` follow from it.
    public let outcome: Outcome
    /// The license after the request; `nil` if none exists.
    public let license: ContentLicense?
    /// The reasons for a refusal, most specific first; empty if a grant is given.
    public let reasons: [Reason]
    /// What to save in the same transaction; ``ContentLicense/Consequences/none`` if nothing changes.
    public let consequences: ContentLicense.Consequences

    /// Creates a result from its parts without checking any rule.
    public init(
        outcome: Outcome, license: ContentLicense?, reasons: [Reason] = [],
        consequences: ContentLicense.Consequences = .none
    ) {
        self.outcome = outcome
        self.license = license
        self.reasons = reasons
        self.consequences = consequences
    }

    /// The result for an unknown license.
    ///
    /// A license of another device or holder gets the same result, so that the response doesn't reveal which licenses
    /// exist.
    public static let unknown = ContentAnswer(
        outcome: .invalid, license: nil, reasons: [Reason(.contentLicenseUnknown)])

    /// The result for a device that was released after it received its token.
    ///
    /// Such a device can still report its use, but it gets no further grants.
    public static func released(_ license: ContentLicense) -> ContentAnswer {
        if let stop = license.stop { return license.answer(.terminal, [.contentStopped(stop)]) }
        return license.answer(.refused, [Reason(.deviceReleased)])
    }

    /// The grant to send; `nil` for a refusal.
    public var grant: ContentGrant? { outcome == .renewed || outcome == .unchanged ? license?.present : nil }

    /// The action that the device takes; `none` unless the refusal is final.
    public var act: Act { outcome == .terminal ? license?.state == .deleted ? .delete : .lock : .none }
}
