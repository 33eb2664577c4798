public import TenureCore

/// The apps that this device has installed from the marketplace, for `redownload` in an `install-token` request.
///
/// Downloads are counted per device. If a backup restores this value on another device, its device mark no longer
/// matches, and ``on(_:)`` discards the list.
public struct InstallMemory: Sendable, Hashable {
    /// The mark of the device that the list belongs to.
    public let device: String
    /// The apps that have been installed on the device at some time.
    public private(set) var items: Set<ItemID>

    /// Creates a list for a device.
    /// - Parameter device: A mark that no backup copies to another device, such as `identifierForVendor` or a random
    ///   text in this device's keychain.
    public init(device: String, items: Set<ItemID> = []) {
        self.device = device
        self.items = items
    }

    /// This list if it belongs to the given device; otherwise an empty list for that device.
    ///
    /// An empty `current` never matches.
    public func on(_ current: String) -> InstallMemory {
        let isSame = !current.isEmpty && device.utf8.elementsEqual(current.utf8)
        return isSame ? self : InstallMemory(device: current)
    }

    /// Whether the app has been installed on this device before.
    public func isRedownload(_ item: ItemID) -> Bool { items.contains(item) }

    /// Adds an app; call it only after an installation has succeeded.
    public mutating func didInstall(_ item: ItemID) { items.insert(item) }
}
