import TenureFoundation
import TenureLicensing

/// The file with the name and the version of a Linux distribution (`os-release(5)`).
enum OSReleaseFile {
    /// The paths to try; the second one is the distribution's, which the first one may replace.
    static let paths = ["/etc/os-release", "/usr/lib/os-release"]

    /// Reads the first file that exists; without one, the system is only known to be Linux.
    static func system(at paths: [String] = paths) -> DeviceSystem? {
        let text = paths.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
        return system(in: text.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Reads the name and the version from a file's text.
    static func system(in text: String) -> DeviceSystem? {
        var values: [Substring: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2, !line.hasPrefix("#") { values[parts[0]] = unquoted(parts[1]) }
        }
        // A distribution that is updated continuously has no version.
        return DeviceSystem(name: values["NAME"] ?? "Linux", version: values["VERSION_ID"])
    }

    /// A value without the shell's quotes and backslashes.
    private static func unquoted(_ value: Substring) -> String {
        var inner = value
        if let quote = value.first, quote == "\"" || quote == "'", value.count > 1, value.last == quote {
            inner = value.dropFirst().dropLast()
            if quote == "'" { return String(inner) }
        }
        var plain = ""
        var isEscaped = false
        for character in inner {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                plain.append(character)
                isEscaped = false
            }
        }
        return plain
    }
}
