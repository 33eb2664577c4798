import TenureFoundation
package import TenureVault

/// The user's data folder according to the XDG Base Directory Specification.
package enum DataHome {
    /// The folder's path: `$XDG_DATA_HOME` if it is absolute, otherwise `~/.local/share`.
    ///
    /// Throws ``VaultError``: `.unreadable` if there is no home folder.
    package static func path(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(VaultError) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw VaultError(
                .unreadable,
                "There is no folder for data because neither XDG_DATA_HOME nor HOME is set. Specify a folder.")
        }
        return "\(home)/.local/share"
    }
}
