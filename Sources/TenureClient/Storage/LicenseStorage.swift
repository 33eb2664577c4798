import Foundation
package import TenureCore
package import TenureVault

/// Where an app's license is kept on the device.
package enum LicenseStorage: Sendable, Hashable {
    /// The Keychain on Apple systems, in an access group when one is named. Elsewhere an encrypted file in
    /// `$XDG_DATA_HOME/tenure/{tenant}/{product}`, or in `~/.local/share` in place of the variable.
    case standard(keychain: String? = nil)
    /// An encrypted file in a folder that belongs to this app and user alone; it is made when it is missing.
    ///
    /// For command-line tools on a Mac, which have no Keychain without a signature, and for services.
    case folder(String)

    /// Puts the record of a product in its place; nothing is read or made.
    ///
    /// Throws ``VaultError``: `.unreadable`, when there is no home folder.
    package func vault(
        for product: ProductRef, on device: ThisDevice,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(VaultError) -> any Vault {
        let seal = RecordSeal(device: device.binding, product: product)
        #if canImport(Security)
            switch self {
            case .folder(let path): return SealedFile(folder: path, seal: seal)
            case .standard(let group): return KeychainVault(SecItem(product: product, accessGroup: group))
            }
        #else
            if case .folder(let path) = self { return SealedFile(folder: path, seal: seal) }
            return SealedFile(folder: try Self.folder(of: product, environment), seal: seal)
        #endif
    }

    /// The folder of a product's record.
    static func folder(of product: ProductRef, _ environment: [String: String]) throws(VaultError) -> String {
        "\(try DataHome.path(environment))/tenure/\(product.tenant.text)/\(product.product.text)"
    }
}
