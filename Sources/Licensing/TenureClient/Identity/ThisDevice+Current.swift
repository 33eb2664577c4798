#if canImport(UIKit)
    import UIKit
#endif

extension ThisDevice {
    /// Identifies the device that this code runs on, by the app's own identifier or else the system's.
    ///
    /// This takes microseconds. There is no random fallback: an identifier that is new at each start would use up an
    /// activation at each start.
    ///
    /// - Throws: ``DeviceIDError``, whose message says what to do.
    @MainActor
    package static func current(explicit identifier: String? = nil) throws(DeviceIDError) -> ThisDevice {
        if let identifier { return try ThisDevice(explicit: identifier) }
        #if canImport(UIKit)
            guard let vendorID = UIDevice.current.identifierForVendor else {
                // This happens between a restart and the first unlock of the device.
                throw DeviceIDError(.absent, "The device has no identifier yet. Unlock it once and try again.")
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
    import TenureFoundation
    import IOKit

    /// The UUID of a Mac's hardware (`IOPlatformUUID`).
    enum PlatformUUID {
        static func read() throws(DeviceIDError) -> String {
            let absent = DeviceIDError(
                .absent, "This Mac's platform UUID isn't available. Set a device identifier.")
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
