import Foundation
package import TenureVault

/// Where a person's programs keep their data, on systems that leave that to the environment.
package enum DataHome {
    /// The folder that the XDG Base Directory Specification gives; a relative path in its variable does not count.
    ///
    /// Throws ``VaultError``: `.unreadable`, when there is no home folder.
    package static func path(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(VaultError) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw VaultError(
                .unreadable,
                "There is no home folder to keep anything in: neither XDG_DATA_HOME nor HOME is set. Name a folder.")
        }
        return "\(home)/.local/share"
    }
}
