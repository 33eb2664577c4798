import TenureCore
import Testing

@testable import TenureDevice

struct DailyJobTests {
    /// The seconds before the license's end, and whether the job requests the license.
    @Test(arguments: [(86_401, false), (86_400, true), (86_399, true), (1, true), (0, false), (-1, false)])
    func `a simulated device's daily job requests licenses that expire within 24 hours`(before: Int64, isDue: Bool) {
        var device = newDevice()
        device.install(installed(license: license()))
        let now = morning.adding(days: 30).adding(seconds: -before)
        #expect(device.appsDue(at: now).isEmpty == !isDue)
    }

    @Test func `a simulated device's daily job doesn't request perpetual, ineligible or missing licenses`() {
        var device = newDevice()
        var refused = installed(license: license(days: 1))
        refused.ineligibleSince = morning
        device.install(refused)
        device.install(installed(chess, license: license(days: nil)))
        device.install(installed(AppleItemID(number: 1)!, license: nil))
        #expect(device.appsDue(at: morning).isEmpty)
    }
}
