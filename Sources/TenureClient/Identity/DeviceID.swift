import TenureFormats

/// Names this device to one product, without telling which device it is: a hash, salted with tenant and product.
package struct DeviceID: Sendable, Hashable, CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    package let text: String
    /// What the device was recognized by.
    package let source: ThisDevice.Source

    /// The 64 digits.
    package var description: String { text }
}
