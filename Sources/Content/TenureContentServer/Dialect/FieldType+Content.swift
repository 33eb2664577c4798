import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

extension FieldType where Value == String {
    /// A holder's name: opaque text.
    static var holder: FieldType { .line(1...256) }

    /// A request id chosen by the device, which makes the request repeatable.
    static var requestID: FieldType {
        .text(
            "8 to 64 characters: A-Z, a-z, 0-9, _ and -", like: "AAAAAAAA",
            schema: .text(length: 8...64, pattern: "^[A-Za-z0-9_-]+$")
        ) { text in
            let isOne = text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
            return isOne && (8...64).contains(text.utf8.count) ? text : nil
        }
    }
}

extension FieldType where Value == ContentID {
    /// A content item's id, as text.
    static var content: FieldType {
        .text(
            "1 to 128 characters: A-Z, a-z, 0-9, ., _, ~, : and -", like: "x",
            schema: .text(length: 1...128, pattern: "^[A-Za-z0-9._~:-]+$")
        ) { ContentID($0) }
    }
}

extension FieldType where Value == Digest {
    /// A device's id: the hexadecimal digest that the client computes.
    static var device: FieldType {
        .text(
            "64 lower-case hexadecimal digits", like: String(repeating: "0", count: 64),
            schema: .text(pattern: "^[0-9a-f]{64}$")
        ) { text in
            DeviceHash(text).flatMap { Hex.decode($0.text) }.flatMap { Digest($0) }
        }
    }
}

extension FieldReader {
    mutating func enrolmentInPath() throws(Failure) -> EnrolmentID {
        try required("enrolment", .numbered(), in: .path, "The id of the enrolment.")
    }

    mutating func contentLicenseInPath() throws(Failure) -> ContentLicenseID {
        try required("license", .numbered(), in: .path, "The id of the license.")
    }

    /// Reads the cursor of a list page; `nil` for the first page.
    mutating func cursor<Named>(_ sentence: String) throws(Failure) -> NumberedID<Named>? {
        try optional("cursor", .numbered(), in: .query, sentence)
    }
}
