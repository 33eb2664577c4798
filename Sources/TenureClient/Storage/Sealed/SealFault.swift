/// Why a sealed record does not open.
enum SealFault: Error, Equatable {
    /// Its bytes were changed or cut, or never were a sealed record.
    case damaged
    /// It was sealed by a program that writes another version.
    case otherVersion(UInt8)
    /// It was sealed on another device.
    case otherDevice
    /// It was sealed on this device, for another product.
    case otherProduct
    /// The cryptographic library failed.
    case libraryFailed
}
