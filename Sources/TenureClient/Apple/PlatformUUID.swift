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
