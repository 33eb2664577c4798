import TenureCommandLine
import TenureServerKit

/// The options for the folder of packages, and for sending the packages' bytes with nginx.
enum PackageOptions {
    static let packages: Argument<String?> = .optional(
        "packages", "DIR", "The folder with the packages of apps; default: `packages` in the data folder.",
        as: .text)

    /// The location of the packages folder in nginx's configuration; unset if this server sends the bytes.
    static let accel: Argument<String?> = .optional(
        "accel", "PREFIX",
        "Let nginx send package files: respond with X-Accel-Redirect, with PREFIX, such as /inner/, before each path.",
        as: .accel)
}

extension Parsed {
    /// The folder of packages, from `--packages` or within the data folder.
    var packagesPath: String { self[PackageOptions.packages] ?? self[SharedOptions.data] + "/packages" }
}

extension ArgumentReading where Value == String {
    /// Reads nginx's internal location: a path with a slash on both sides.
    fileprivate static var accel: ArgumentReading {
        ArgumentReading { text in
            let isPath = text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2F, 0x2D, 0x5F, 0x2E: true
                default: false
                }
            }
            guard isPath, text.hasPrefix("/"), text.hasSuffix("/"), text.count > 2, !text.contains("//") else {
                throw UsageError("enter a path with a slash on both sides, such as /inner/")
            }
            return text
        }
    }
}
