/// What the vendor allows people without a license.
package struct ProductTerms: Sendable, Hashable, Codable {
    /// How many days a trial lasts; nil when the server does not say, 0 when trials are switched off.
    package let trialDays: Int?
    /// Whether there is a free plan.
    package let freeTier: Bool
    /// When the server signed this; nil when it is not signed. Somebody without a license has no other word on the time.
    package let signedAt: Moment?

    package init(trialDays: Int?, freeTier: Bool, signedAt: Moment? = nil) {
        self.trialDays = trialDays
        self.freeTier = freeTier
        self.signedAt = signedAt
    }
}
