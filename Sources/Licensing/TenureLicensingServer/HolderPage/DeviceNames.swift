import TenureCore
import TenureLicensing
import TenureServerKit

/// The names of a license's devices for its holder.
///
/// If two devices have the same name, four characters of each device's public id follow it, so that they can be told
/// apart. The operator sees the same ids.
struct DeviceNames: Sendable, Hashable {
    /// The devices, most recently seen first.
    let devices: [SeenActivation]
    private let alike: Set<String>
    private let unnamed: String

    /// Creates the names of all devices of a license.
    ///
    /// - Parameter devices: The devices under their public ids.
    init(_ devices: [SeenActivation], in language: PageLanguage) {
        let unnamed = LicensePageText.unnamedDevice(in: language)
        self.unnamed = unnamed
        self.devices = devices.sorted { one, other in
            (other.lastSeenAt, other.activation.id.description) < (one.lastSeenAt, one.activation.id.description)
        }
        let names = Dictionary(grouping: devices) { Self.plain($0.activation, unnamed) }
        alike = Set(names.filter { $0.value.count > 1 }.keys)
    }

    /// The name of a device, at most 64 characters of it.
    func name(of device: Activation) -> String {
        let name = Self.plain(device, unnamed)
        return alike.contains(name) ? "\(name) (\(device.id.description.suffix(4).uppercased()))" : name
    }

    private static func plain(_ device: Activation, _ unnamed: String) -> String {
        ["", DeviceReport.noName].contains(device.name) ? unnamed : String(device.name.prefix(64))
    }
}
