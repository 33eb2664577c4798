import TenureCore
import TenureLicensing
import Testing

@Suite struct KeylessTests {
    static let day: Int64 = 86_400

    @Test(
        arguments: [
            (0, .trial(daysLeft: 14)), (day - 1, .trial(daysLeft: 14)), (day, .trial(daysLeft: 13)),
            (14 * day - 1, .trial(daysLeft: 1)), (14 * day, .freeTier), (-day, .trial(daysLeft: 14)), (nil, .freeTier),
        ] as [(Int64?, KeylessStatus)])
    func `without a license, the status is a running trial with its days left, rounded up, or else the free tier`(
        age: Int64?, expected: KeylessStatus
    ) {
        let product = Product(
            ref: Given.product, name: "Notes", keyPrefix: LicenseKeyPrefix("NOTE")!, trialDays: 14, freeTier: true)
        let start = age.map { Given.now.adding(seconds: -$0) }
        #expect(product.keylessStanding(trialStart: start, at: Given.now) == expected)
    }

    @Test(arguments: [0, 14]) func `without a free tier or a running trial, the status is expired`(trialDays: Int) {
        let product = Product(
            ref: Given.product, name: "Notes", keyPrefix: LicenseKeyPrefix("NOTE")!, trialDays: trialDays)
        let longAgo = Given.now.adding(days: -15)
        #expect(product.keylessStanding(trialStart: longAgo, at: Given.now) == .expired)
        #expect(product.keylessStanding(trialStart: nil, at: Given.now) == .expired)
    }
}
