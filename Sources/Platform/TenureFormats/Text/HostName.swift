/// A DNS name or an IPv4 address, without a port.
package enum HostName {
    /// Whether a text consists of labels of 1 to 63 ASCII letters, digits and inner hyphens (RFC 1123 §2.1).
    package static func isValid(_ text: some StringProtocol) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { byte in
                        switch byte {
                        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
                        default: false
                        }
                    }
            }
    }
}
