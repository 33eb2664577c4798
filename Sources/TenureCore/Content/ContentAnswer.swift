/// The answer about one content: what it comes to, and what is to be saved of it.
public struct ContentAnswer: Sendable, Hashable {
    /// What it comes to, as the wire calls it.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A version above the one that was named, with its grant.
        case renewed
        /// The present grant, as it was.
        case unchanged
        /// No for now; what the device has stays.
        case refused
        /// No for good: the device locks it, or deletes it.
        case terminal
        /// The question names nothing that the device has.
        case invalid
        /// Nobody knows now: the device asks again later.
        case transient
    }

    /// What a device does that is told no.
    public enum Act: String, Sendable, Hashable, CaseIterable {
        /// Nothing: what it has stays.
        case none
        /// It no longer plays the content.
        case lock
        /// It deletes the content.
        case delete
    }

    /// What it comes to.
    public let outcome: Outcome
    /// The license as it is now; nil when there is none.
    public let license: ContentLicense?
    /// Why not, most specific first; empty for a yes.
    public let reasons: [Reason]
    /// What is to be saved.
    public let consequences: ContentConsequences

    /// Puts an answer together. It decides nothing.
    public init(
        outcome: Outcome, license: ContentLicense?, reasons: [Reason] = [],
        consequences: ContentConsequences = .none
    ) {
        self.outcome = outcome
        self.license = license
        self.reasons = reasons
        self.consequences = consequences
    }

    /// The answer about a license that is not there, or another device's or holder's: it must not tell which.
    public static let unknown = ContentAnswer(
        outcome: .invalid, license: nil, reasons: [Reason(.contentLicenseUnknown)])

    /// The answer to a device that was released since it got its token: it reports what it used, and gets nothing more.
    public static func released(_ license: ContentLicense) -> ContentAnswer {
        if let stop = license.stop { return license.answer(.terminal, [.contentStopped(stop)]) }
        return license.answer(.refused, [Reason(.deviceReleased)])
    }

    /// The grant to give; nil for a no.
    public var grant: ContentGrant? { outcome == .renewed || outcome == .unchanged ? license?.present : nil }

    /// What a device does that is told no.
    public var act: Act { outcome == .terminal ? license?.state == .deleted ? .delete : .lock : .none }
}
