/// Text in the query of a URL (RFC 3986 §2.1).
enum PercentEncoding {
    /// Leaves unreserved characters and spells out the bytes of all others.
    static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
    }
}
