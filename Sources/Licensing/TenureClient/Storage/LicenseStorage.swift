package import TenureCore
import TenureFoundation
package import TenureVault

/// Where an app's license is stored on the device.
package enum LicenseStorage: Sendable, Hashable {
    /// The default location: the Keychain on Apple systems, an encrypted file elsewhere.
    ///
    /// A Keychain access group may be given. The file is in `$XDG_DATA_HOME/tenure/{tenant}/{product}`, or below
    /// `~/.local/share` if the variable isn't set.
    case standard(keychain: String? = nil)
    /// An encrypted file in a folder that belongs only to this app and user; created if missing.
    ///
    /// It is meant for services and for command-line tools on the Mac, which need a signature to use the Keychain.
    case folder(String)

    /// Creates the vault for a product's record, without reading or writing anything.
    ///
    /// - Throws: ``VaultError``: `.unreadable` if there is no home folder.
    package func vault(
        for product: ProductRef, on device: ThisDevice,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(VaultError) -> any Vault {
        let seal = RecordSeal(device: device.binding, product: product)
        #if canImport(Security)
            switch self {
            case .folder(let path): return DeviceFile(folder: path, seal: seal)
            case .standard(let group): return KeychainVault(SecItem(product: product, accessGroup: group))
            }
        #else
            if case .folder(let path) = self { return DeviceFile(folder: path, seal: seal) }
            return DeviceFile(folder: try Self.folder(of: product, environment), seal: seal)
        #endif
    }

    /// The default folder of a product's record.
    static func folder(of product: ProductRef, _ environment: [String: String]) throws(VaultError) -> String {
        "\(try DataHome.path(environment))/tenure/\(product.tenant.text)/\(product.product.text)"
    }
}

/// The user's data folder according to the XDG Base Directory Specification.
package enum DataHome {
    /// The folder's path: `$XDG_DATA_HOME` if it is absolute, otherwise `~/.local/share`.
    ///
    /// - Throws: ``VaultError``: `.unreadable` if there is no home folder.
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
