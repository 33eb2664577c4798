public import TenureCore

/// Which apps this device has had from the marketplace: what `redownload` says to `install-token`.
///
/// Only the device itself counts (`dtype` is told for "a particular device"). A memory that a backup brought from another
/// device carries that one's mark, and says nothing.
public struct InstallMemory: Sendable, Hashable {
    /// The device that it is of.
    public let device: String
    /// The apps that it had.
    public private(set) var items: Set<AppleItemID>

    /// Remembers for a device.
    /// - Parameter device: A mark that no backup carries to another device, such as `identifierForVendor` or a random
    ///   text in the keychain, for this device only.
    public init(device: String, items: Set<AppleItemID> = []) {
        self.device = device
        self.items = items
    }

    /// What a memory is worth on this device: one of another device, or where the device cannot tell, begins empty.
    public func on(_ current: String) -> InstallMemory {
        let isSame = !current.isEmpty && device.utf8.elementsEqual(current.utf8)
        return isSame ? self : InstallMemory(device: current)
    }

    /// Whether installing the app on this device would be a download again.
    public func isRedownload(_ item: AppleItemID) -> Bool { items.contains(item) }

    /// Remembers an app that was installed; what was asked for and did not end well is no download.
    public mutating func didInstall(_ item: AppleItemID) { items.insert(item) }
}
