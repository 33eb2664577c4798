import TenureCore
import Testing

@testable import TenureDevice

struct ServedConfigurationTests {
    private static func configuration(without member: String = "", override: String = "") -> [UInt8] {
        func url(_ name: String) -> String { name == member ? "" : "\"\(name)\":\"https://market.example/\(name)\"," }
        let license = ["dynamicLicenseURL", "licenseRenewalURL", "licenseResolutionURL", "signingCertificateURL"]
        let text = """
            {\(override) "license":{\(license.map(url).joined())"encryptionCertificateURL":"https://market.example/e"},
            \(url("restore"))"updates":{\(url("url"))"pollingInterval":24},"unknown":[1]}
            """
        return Array(text.utf8)
    }

    @Test func `the endpoints and the polling interval of a marketplace's configuration are read`() throws {
        let places = try ServedConfiguration(json: Self.configuration()).standard
        #expect(places.dynamicLicenseURL == "https://market.example/dynamicLicenseURL")
        #expect(places.licenseRenewalURL == "https://market.example/licenseRenewalURL")
        #expect(places.licenseResolutionURL == "https://market.example/licenseResolutionURL")
        #expect(places.updates == "https://market.example/url")
        #expect(places.pollingIntervalHours == 24)
    }

    @Test(arguments: ["dynamicLicenseURL", "licenseRenewalURL", "signingCertificateURL", "restore", "url"])
    func `a missing member of a marketplace's configuration is named in the error`(member: String) throws {
        let error = try #require(throws: DeviceError.self) {
            try ServedConfiguration(json: Self.configuration(without: member))
        }
        #expect(error.code == .badAnswer)
        #expect(error.message.contains(member))
    }

    @Test func `a marketplace's configuration may omit the resolution page`() throws {
        let places = try ServedConfiguration(json: Self.configuration(without: "licenseResolutionURL")).standard
        #expect(places.licenseResolutionURL == nil)
    }

    @Test func `an app's own configuration replaces the marketplace's`() throws {
        let own = String(decoding: Self.configuration(without: "licenseResolutionURL"), as: UTF8.self)
            .replacing("market.example", with: "own.example")
        let json = Self.configuration(override: "\"overridesByAppleItemID\":{\"\(game)\":\(own)},")
        let configuration = try ServedConfiguration(json: json)
        #expect(configuration.places(for: game).restore == "https://own.example/restore")
        #expect(configuration.places(for: game).licenseResolutionURL == nil)
        #expect(configuration.places(for: chess) == configuration.standard)
    }

    @Test(arguments: ["", "<html>", "[]", "{}", "\u{FEFF}{}"])
    func `a malformed configuration of a marketplace is refused`(text: String) {
        #expect(throws: DeviceError.self) { try ServedConfiguration(json: Array(text.utf8)) }
    }
}
