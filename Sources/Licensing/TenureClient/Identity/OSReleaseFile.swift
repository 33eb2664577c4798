import TenureCore
import TenureFoundation
import TenureLicensing

/// The file with the name and the version of a Linux distribution (`os-release(5)`).
enum OSReleaseFile {
    /// The paths to try, in order: the administrator's file, then the distribution's default.
    static let paths = ["/etc/os-release", "/usr/lib/os-release"]

    /// Reads the first file that exists; without one, returns only the name Linux.
    static func system(at paths: [String] = paths) -> DeviceSystem? {
        let text = paths.lazy.compactMap { FileManager.default.contents(atPath: $0) }.first
        return system(in: text.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }

    /// Reads the name and the version from a file's text; a missing name is read as Linux. Returns `nil` if
    /// ``DeviceSystem`` rejects the name.
    static func system(in text: String) -> DeviceSystem? {
        var values: [Substring: String] = [:]
        for line in text.lines {
            guard let (name, value) = line.cut(at: "="), name.utf8.first != UInt8(ascii: "#") else { continue }
            values[name] = unquoted(value)
        }
        // A distribution that is updated continuously has no version.
        return DeviceSystem(name: values["NAME"] ?? "Linux", version: values["VERSION_ID"])
    }

    /// A value without the shell's quotes and backslashes.
    private static func unquoted(_ value: Substring) -> String {
        var inner = value.utf8
        if let quote = inner.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), inner.count > 1,
            inner.last == quote
        {
            inner = inner.dropFirst().dropLast()
            if quote == UInt8(ascii: "'") { return String(Substring(inner)) }
        }
        var plain: [UInt8] = []
        var isEscaped = false
        for byte in inner {
            if byte == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                plain.append(byte)
                isEscaped = false
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }
}
