import TenureCore
import Testing

@testable import TenureDevice

struct LaunchDecisionTests {
    @Test(arguments: [(0, true), (2_591_999, true), (2_592_000, false), (2_678_400, false), (-5, true)])
    func `an app launches until the last second of its license`(second: Int64, launches: Bool) {
        let end = morning.adding(days: 30)
        let decision = installed(license: license()).launch(at: morning.adding(seconds: second))
        #expect(decision == (launches ? .launches(until: end) : .blocked(.expired(at: end))))
    }

    @Test func `a license without a duration never expires`() {
        let app = installed(license: license(days: nil))
        #expect(app.launch(at: Timestamp(seconds: .max)) == .launches(until: nil))
    }

    @Test func `an app without a license does not launch`() {
        #expect(installed(license: nil).launch(at: morning) == .blocked(.noLicense))
    }

    @Test(arguments: [1, 40])
    func `an app with an ineligible license doesn't launch, even before the license expires`(day: Int) {
        var app = installed(license: license())
        app.ineligibleSince = morning
        #expect(app.launch(at: morning.adding(days: day)) == .blocked(.ineligible(since: morning)))
    }
}
