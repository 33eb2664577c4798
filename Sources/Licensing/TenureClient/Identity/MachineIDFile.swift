import TenureFiles

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file with the id of a Linux installation (`machine-id(5)`).
enum MachineIDFile {
    /// The paths to try; the second one is for systems without systemd.
    static let paths = ["/etc/machine-id", "/var/lib/dbus/machine-id"]

    /// Reads the first file that exists; an empty file is skipped, since the D-Bus file may still have an id.
    static func identity(at paths: [String] = paths) throws(DeviceIDError) -> ThisDevice {
        for path in paths {
            guard let text = try text(of: path), !text.isEmpty else { continue }
            return ThisDevice(try checked(text, path), source: .machineID)
        }
        throw DeviceIDError(
            .absent,
            "This system has no machine id (\(paths.joined(separator: ", "))), as in many containers. Give the device an "
                + "identifier of its own, or let systemd-machine-id-setup make one.")
    }

    private static func checked(_ text: String, _ path: String) throws(DeviceIDError) -> String {
        // systemd writes this word during a system's first boot.
        guard text != "uninitialized" else {
            throw DeviceIDError(
                .absent, "The machine id in \(path) hasn't been created yet. Start again once the system is up.")
        }
        let digits = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        guard text.utf8.count == 32, digits else {
            throw DeviceIDError(
                .unusable,
                "The machine id in \(path) isn't 32 lowercase hexadecimal digits. Run systemd-machine-id-setup."
            )
        }
        guard !wellKnown.contains(text), Set(text.utf8).count > 2 else {
            throw DeviceIDError(
                .shared,
                "The machine id in \(path) is one that many systems share, such as that of an image. Give the device an "
                    + "identifier of its own, or let systemd-machine-id-setup make one.")
        }
        return text
    }

    /// Ids that many systems share.
    private static let wellKnown: Set<String> = [
        // Whonix and Kicksecure, which give all their users the same id on purpose.
        "b08dfa6083e7567a1921a715000001fb",
        // Debian's container images 11.1 and 11.2.
        "85f94e57ab75f80918cab17d001eac85", "88544b92092430bc5d3fbbffc12a2f04",
        // Values that people make up.
        "0123456789abcdef0123456789abcdef", "00112233445566778899aabbccddeeff", "deadbeefdeadbeefdeadbeefdeadbeef",
    ]

    /// The file's text without white space; `nil` if the file doesn't exist.
    private static func text(of path: String) throws(DeviceIDError) -> String? {
        let unreadable = DeviceIDError(
            .unreadable,
            "The machine id in \(path) can't be read. Give this user permission, or set a device identifier.")
        do throws(Errno) {
            let bytes = try FileDescriptor(opening: path, O_RDONLY | O_NONBLOCK).read(upTo: 256)
            return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
        } catch {
            guard error.rawValue == ENOENT || error.rawValue == ENOTDIR else { throw unreadable }
            return nil
        }
    }
}
