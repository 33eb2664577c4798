import TenureCore
import TenureLicensing
import Testing

@Suite struct DeviceReportTests {
    private let system = DeviceSystem(name: "macOS", version: "15.1")

    @Test(
        arguments: [
            ("Ada’s MacBook", "Ada’s MacBook"),
            (String(repeating: "x", count: 256), String(repeating: "x", count: 256)),
            (String(repeating: "x", count: 257), String(repeating: "x", count: 256)),
            // Each of these characters has 25 bytes, so ten fit.
            (String(repeating: "👨‍👩‍👧‍👦", count: 11), String(repeating: "👨‍👩‍👧‍👦", count: 10)),
            // A character that alone is too long is cut between its scalars.
            ("a" + String(repeating: "\u{301}", count: 200), "a" + String(repeating: "\u{301}", count: 127)),
            ("", nil), (" \t\n", nil), ("\u{200B}\u{3000}\u{0}", nil), (nil, nil), (" Mac ", " Mac "),
        ] as [(String?, String?)])
    func `a device name is cut to at most 256 bytes, if possible between characters, and a blank name is ignored`(
        name: String?, stored: String?
    ) {
        let report = DeviceReport(name: name)
        #expect(report.name.map { Array($0.utf8) } == stored.map { Array($0.utf8) })
    }

    @Test func `an activation's device name and operating system stay unchanged if the device doesn't report them`()
        throws
    {
        let existing = Activation(
            id: ActivationID(high: 0, low: 1), license: try #require(LicenseID(number: 1)), identity: .anonymous,
            name: "Old", system: system, activatedAt: Timestamp(seconds: 0), releasedAt: nil)
        #expect(existing.reporting(DeviceReport(name: nil)) == nil)
        #expect(existing.reporting(DeviceReport(name: "Old", system: system)) == nil)
        let renamed = try #require(existing.reporting(DeviceReport(name: "New")))
        #expect(renamed.name == "New" && renamed.system == system)
        let updated = try #require(
            existing.reporting(DeviceReport(name: " ", system: DeviceSystem(name: "macOS", version: "16"))))
        #expect(updated.name == "Old" && updated.system?.version == "16")
    }

    @Test func `a device name in another Unicode normalization form is a different name`() throws {
        let existing = Activation(
            id: ActivationID(high: 0, low: 1), license: try #require(LicenseID(number: 1)), identity: .anonymous,
            name: "Zoe\u{308}", activatedAt: Timestamp(seconds: 0), releasedAt: nil)
        #expect(existing.reporting(DeviceReport(name: "Zo\u{EB}"))?.name.utf8.count == 4)
    }
}
