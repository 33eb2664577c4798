// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported public import CoreFoundation

// The parts of IOKit that Tenure uses, declared from Apple's documentation. They do nothing.

public typealias mach_port_t = UInt32
public typealias io_object_t = mach_port_t
public typealias io_service_t = io_object_t
public typealias io_registry_entry_t = io_object_t
public typealias kern_return_t = Int32
public typealias IOOptionBits = UInt32

public let kIOMainPortDefault: mach_port_t = 0
public let kIOPlatformUUIDKey = "IOPlatformUUID"
public func IOServiceMatching(_ name: UnsafePointer<CChar>!) -> CFMutableDictionary! { neverRun() }
public func IOServiceGetMatchingService(_ mainPort: mach_port_t, _ matching: CFDictionary!) -> io_service_t {
    neverRun()
}
public func IORegistryEntryCreateCFProperty(
    _ entry: io_registry_entry_t, _ key: CFString!, _ allocator: CFAllocator!, _ options: IOOptionBits
) -> Unmanaged<CFTypeRef>! { neverRun() }
@discardableResult public func IOObjectRelease(_ object: io_object_t) -> kern_return_t { neverRun() }

private func neverRun() -> Never { fatalError("a stub is only compiled") }
