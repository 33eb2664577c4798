#if canImport(UIKit)
    import UIKit
#endif

extension ThisDevice {
    /// Recognizes the device this runs on: by the identifier that the app chose, else by what the system has.
    ///
    /// Reading takes microseconds. There is no random fallback: an identifier that is new at each start would take a new
    /// place at each start.
    ///
    /// Throws ``DeviceIDError``; what to do is in its message.
    @MainActor
    package static func current(explicit identifier: String? = nil) throws(DeviceIDError) -> ThisDevice {
        if let identifier { return try ThisDevice(explicit: identifier) }
        #if canImport(UIKit)
            guard let vendorID = UIDevice.current.identifierForVendor else {
                // So it is between a restart and the first time that the device is unlocked.
                throw DeviceIDError(.absent, "The device is not named yet; unlock it once and try again.")
            }
            return ThisDevice(vendorID.uuidString, source: .vendorID)
        #elseif canImport(IOKit)
            return ThisDevice(try PlatformUUID.read(), source: .platformUUID)
        #else
            return try MachineIDFile.identity()
        #endif
    }
}

#if canImport(IOKit) && !canImport(UIKit)
    import Foundation
    import IOKit

    /// The UUID that names a Mac's hardware (`IOPlatformUUID`).
    enum PlatformUUID {
        static func read() throws(DeviceIDError) -> String {
            let absent = DeviceIDError(
                .absent, "This Mac does not tell its platform UUID; give the device an identifier of its own.")
            let service = IOServiceGetMatchingService(kIOMainPortDefault, IOServiceMatching("IOPlatformExpertDevice"))
            guard service != 0 else { throw absent }
            defer { IOObjectRelease(service) }
            let property = IORegistryEntryCreateCFProperty(
                service, kIOPlatformUUIDKey as CFString, kCFAllocatorDefault, 0)
            guard let text = property?.takeRetainedValue() as? String, UUID(uuidString: text) != nil else {
                throw absent
            }
            return text
        }
    }
#endif
