import TenureCore
import Testing

@testable import TenureDevice

struct TapTests {
    private let later = morning.adding(days: 31)

    @Test func `a tap launches a licensed app`() {
        let tap = installed(license: license()).tap(at: morning, resolutionURL: "https://market.example/resolve")
        #expect(tap == .launches(until: morning.adding(days: 30)))
    }

    @Test func `an alert about an expired license offers Resolve if there is a resolution page`() {
        let app = installed(license: license(), account: "ada & tom/ü")
        guard case .alert(let alert, let block) = app.tap(at: later, resolutionURL: "https://market.example/resolve")
        else {
            Issue.record("no alert")
            return
        }
        #expect(alert.title == "App License Expired")
        #expect(alert.buttons == ["Cancel", "Resolve"])
        #expect(block == .expired(at: morning.adding(days: 30)))
        #expect(
            alert.resolution
                == "https://market.example/resolve?account=ada%20%26%20tom%2F%C3%BC&appleItemID=6483539426&appleVersionID=863214182"
        )
    }

    @Test(arguments: [
        ("https://a/r?utm=x", "https://a/r?utm=x&account="), ("https://a/r?", "https://a/r?account="),
        ("https://a/r#top", "https://a/r?account="),
    ])
    func `the launch parameters are added to the parameters of the resolution page's URL`(url: String, start: String) {
        guard case .alert(let alert, _) = installed(license: license()).tap(at: later, resolutionURL: url) else {
            Issue.record("no alert")
            return
        }
        #expect(alert.resolution?.hasPrefix(start) == true)
        #expect(alert.resolution?.hasSuffix(url.hasSuffix("#top") ? "863214182#top" : "863214182") == true)
    }

    @Test func `an alert refers to the developer if there is no resolution page`() {
        guard case .alert(let alert, _) = installed(license: license()).tap(at: later, resolutionURL: nil) else {
            Issue.record("no alert")
            return
        }
        #expect(alert.buttons == ["OK"])
        #expect(alert.resolution == nil)
        #expect(alert.message.hasSuffix("Contact the developer for additional details."))
    }
}
