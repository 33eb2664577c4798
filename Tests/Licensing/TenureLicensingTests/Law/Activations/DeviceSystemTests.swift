import TenureLicensing
import Testing

@Suite struct DeviceSystemTests {
    @Test(
        arguments: [
            ("macOS", "15.1", "macOS 15.1"), ("Debian GNU/Linux", "12", "Debian GNU/Linux 12"),
            ("Arch Linux", nil, "Arch Linux"), ("macOS", "", "macOS"), ("macOS", "15\n1", "macOS"),
            ("macOS", String(repeating: "1", count: 65), "macOS"),
        ] as [(String, String?, String)])
    func `the text of a device's operating system is its name and, if known and valid, its version`(
        name: String, version: String?, text: String
    ) {
        #expect(DeviceSystem(name: name, version: version)?.text == text)
    }

    @Test(
        arguments: [
            ("", false), ("a", true), (String(repeating: "a", count: 64), true),
            (String(repeating: "a", count: 65), false), (String(repeating: "a", count: 10_240), false), (" a", false),
            ("a ", false), ("a b", true), (" ", false), ("a\u{1F}", false), ("a\u{7F}", false), ("~", true),
            ("a\u{0}", false), ("a\u{1B}[2J", false), ("\u{202E}SOcam", false), ("mac\u{200B}OS", false),
            ("ma\u{0441}OS", false), ("<b>x</b>", true),
        ])
    func `an operating system's name has 1 to 64 printable ASCII characters and no space at either end`(
        name: String, isUsable: Bool
    ) {
        #expect((DeviceSystem(name: name, version: nil) != nil) == isUsable)
    }

    @Test func `an operating system's version without a name is ignored`() {
        #expect(DeviceSystem(name: nil, version: "15.1") == nil)
        #expect(DeviceSystem(name: "", version: "15.1") == nil)
    }
}
