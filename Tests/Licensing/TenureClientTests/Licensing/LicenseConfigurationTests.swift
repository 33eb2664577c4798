import TenureClient
import Testing

@MainActor
@Suite struct LicenseConfigurationTests {
    private func configuration() -> LicenseConfiguration {
        var usable = LicenseConfiguration(server: "https://licenses.example", tenant: "acme", product: "notes")
        usable.signingKeys = ["k1": "ebVWLo/mVPlAeLES6KmLp5AfhTrmlb7X4OORC60ElmQ="]
        usable.deviceIdentifier = "a-device-of-the-tests"
        usable.folder = "/nowhere/at/all"
        return usable
    }

    private func refusal(_ change: (inout LicenseConfiguration) -> Void) -> LicenseError.Code? {
        var changed = configuration()
        change(&changed)
        do throws(LicenseError) {
            _ = try LicenseManager(changed)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: [Dialect.tenure, .keylight])
    func `a valid configuration creates a manager whose state isn't determined yet`(dialect: Dialect) throws {
        var usable = configuration()
        usable.dialect = dialect
        let manager = try LicenseManager(usable)
        #expect(manager.state == .notDetermined)
        #expect(manager.explanation.reasons.map(\.code) == ["not_looked_yet"])
    }

    @Test func `an invalid configuration is refused when a license manager is created`() {
        #expect(refusal { $0.server = "http://licenses.example" } == .misconfigured)
        #expect(refusal { $0.server = "" } == .misconfigured)
        #expect(refusal { $0.tenant = "Acme Inc." } == .misconfigured)
        #expect(refusal { $0.product = "" } == .misconfigured)
        #expect(refusal { $0.signingKeys = ["k1": "AAAA"] } == .misconfigured)
        #expect(refusal { $0.signingKeys = ["k1": "not base64!"] } == .misconfigured)
        #expect(refusal { $0.deviceIdentifier = "short" } == .noDevice)
    }

    @Test func `a configuration without built-in keys is refused unless it trusts served keys`() {
        #expect(refusal { $0.signingKeys = [:] } == .misconfigured)
        #expect(
            refusal {
                $0.signingKeys = [:]
                $0.keyTrust = .served
            } == nil)
    }

    @Test func `a clock file is accepted only with a server on this machine`() {
        #expect(refusal { $0.clockFile = "clock" } == .misconfigured)
        for server in ["http://127.0.0.1:8080", "http://localhost:8080", "https://[::1]:8080"] {
            #expect(
                refusal {
                    $0.clockFile = "clock"
                    $0.server = server
                } == nil)
        }
    }
}
