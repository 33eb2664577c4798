import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit

/// The beginning of a device's hash.
struct DevicePrefix: Sendable {
    /// The lowest hash with this beginning.
    let low: [UInt8]
    /// The highest hash with this beginning.
    let high: [UInt8]

    /// Reads a device's code or 8 to 64 hexadecimal digits, in upper or lower case; dashes are ignored.
    ///
    /// Returns `nil` for any other text.
    init?(text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard (8...64).contains(digits.count) else { return nil }
        func hash(filledWith digit: UInt8) -> [UInt8]? {
            Hex.decode(
                String(decoding: digits + [UInt8](repeating: digit, count: 64 - digits.count), as: UTF8.self)
                    .lowercased())
        }
        guard let low = hash(filledWith: UInt8(ascii: "0")), let high = hash(filledWith: UInt8(ascii: "f")) else {
            return nil
        }
        self.low = low
        self.high = high
    }
}

extension ArgumentReading where Value == DevicePrefix {
    /// Reads a device's code, or 8 to 64 hexadecimal digits.
    static var devicePrefix: ArgumentReading {
        ArgumentReading { text in
            guard let device = DevicePrefix(text: text) else {
                throw UsageError("enter the device's code, such as 3f2b-7c1e-90ab, or 8 to 64 hexadecimal digits")
            }
            return device
        }
    }
}

extension FieldType where Value == DevicePrefix {
    /// A device's code, or the beginning of its hash.
    static var devicePrefix: FieldType {
        .text(
            "a device's code, or 8 to 64 hexadecimal digits", like: "00000000", longest: 256,
            schema: .text(pattern: "^([0-9A-Fa-f]-?){8,64}$")
        ) { DevicePrefix(text: $0) }
    }
}

extension ShownTrial {
    /// A number by which stored responses refer to the trial: the first 64 bits of its device's hash, mixed with the
    /// product's name.
    var number: Int64 { Int64(bigEndianBytes: trial.device.bytes) ^ .mixed(from: product.ref) }
}

extension DevicePrefix {
    /// The first 64 bits of the device whose trial of the product has this ``ShownTrial/number``.
    ///
    /// For a product other than the trial's, no device has these bits.
    init(number: Int64, at product: ProductRef) {
        let bits = withUnsafeBytes(of: (number ^ .mixed(from: product)).bigEndian) { Array($0) }
        low = bits + [UInt8](repeating: 0, count: 24)
        high = bits + [UInt8](repeating: 0xFF, count: 24)
    }
}

extension Int64 {
    fileprivate init(bigEndianBytes bytes: [UInt8]) {
        self = bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }

    fileprivate static func mixed(from product: ProductRef) -> Int64 {
        Int64(bigEndianBytes: Digest.sha256(of: product.description).bytes)
    }
}
