package import TenureLicensing

#if canImport(UIKit)
    import UIKit
#else
    import TenureFoundation
#endif

extension DeviceSystem {
    /// The operating system that this code runs on, with the name that a person sees in the system's settings.
    ///
    /// It's `nil` if the name isn't printable ASCII of at most 64 characters. The result contains no name of the
    /// device, the host or the user.
    @MainActor
    package static var current: DeviceSystem? {
        #if canImport(UIKit) && !targetEnvironment(macCatalyst)
            return DeviceSystem(name: UIDevice.current.systemName, version: UIDevice.current.systemVersion)
        #elseif canImport(Darwin)
            let version = ProcessInfo.processInfo.operatingSystemVersion
            let numbers = [version.majorVersion, version.minorVersion] + [version.patchVersion].filter { $0 > 0 }
            return DeviceSystem(name: "macOS", version: numbers.map(String.init).joined(separator: "."))
        #else
            return OSReleaseFile.system()
        #endif
    }
}
