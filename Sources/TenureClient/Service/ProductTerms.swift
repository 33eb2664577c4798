/// What the vendor allows people without a license.
package struct ProductTerms: Sendable, Hashable, Codable {
    /// How many days a trial lasts; nil when the server does not say, 0 when trials are switched off.
    package let trialDays: Int?
    /// Whether there is a free plan.
    package let freeTier: Bool

    package init(trialDays: Int?, freeTier: Bool) {
        self.trialDays = trialDays
        self.freeTier = freeTier
    }
}
