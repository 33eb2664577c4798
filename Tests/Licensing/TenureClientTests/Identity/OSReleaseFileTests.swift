import Foundation
import TenureLicensing
import Testing

@testable import TenureClient

@Suite struct OSReleaseFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nNAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"\n", "Ubuntu 24.04"),
        ("NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"", "Debian GNU/Linux 12"), ("NAME='Arch Linux'\n", "Arch Linux"),
        ("NAME=Fedora\nVERSION_ID=41", "Fedora 41"), ("# NAME=Old\nNAME=\"A \\\"B\\\" \\$C\"\n", "A \"B\" $C"),
        ("VERSION_ID=3", "Linux 3"), ("", "Linux"), ("NAME=\"", "\""), ("NAME\n=\n==\n", "Linux"),
    ])
    func `an operating system's name, by default Linux, and its version are read from os-release`(
        text: String, system: String
    ) {
        #expect(OSReleaseFile.system(in: text)?.text == system)
    }

    @Test(arguments: [
        "NAME=\"\"", "NAME=\"a\u{1B}[2J\"", "NAME=\"\u{202E}x\"", "NAME=" + String(repeating: "x", count: 10_240),
    ])
    func `an operating system whose name is empty, too long or has invisible characters isn't reported`(text: String) {
        #expect(OSReleaseFile.system(in: text) == nil)
    }

    @Test func `the first os-release file that exists is read`() throws {
        let first = try folder.write("NAME=One\n", to: "one")
        let second = try folder.write("NAME=Two\n", to: "two")
        let absent = folder.file("absent")
        #expect(OSReleaseFile.system(at: [absent, first, second])?.text == "One")
        #expect(OSReleaseFile.system(at: [absent])?.text == "Linux")
    }

    @Test @MainActor func `this machine's operating system is reported without the host name`() {
        let system = DeviceSystem.current
        #expect(system != nil)
        #expect(system?.text.contains(ProcessInfo.processInfo.hostName) == false)
    }
}
