package import TenureCore

extension FieldType where Value == String {
    /// Any text of at most `longest` bytes.
    package static func text(longest: Int) -> FieldType {
        .text("a string", like: "x", longest: longest, schema: .text(length: 0...longest)) { $0 }
    }

    /// A line of text without control characters. Its length is measured in Unicode scalars.
    ///
    /// If the minimum length is 0, an empty text is a valid value and doesn't count as absent.
    package static func line(_ length: ClosedRange<Int>) -> FieldType {
        .text(
            "\(length.lowerBound) to \(length.upperBound) characters, without control characters",
            like: String(repeating: "x", count: max(1, length.lowerBound)), takesEmpty: length.lowerBound == 0,
            schema: .text(length: length, pattern: "^[^\\x00-\\x1f\\x7f]*$")
        ) { text in
            let scalars = text.unicodeScalars
            guard length.contains(scalars.count), scalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                return nil
            }
            return text
        }
    }

    /// A text of visible ASCII characters, without spaces.
    package static func word(_ length: ClosedRange<Int>) -> FieldType {
        .text(
            "\(length.lowerBound) to \(length.upperBound) visible ASCII characters",
            like: String(repeating: "x", count: max(1, length.lowerBound)),
            schema: .text(length: length, pattern: "^[!-~]+$")
        ) { text in
            let bytes = text.utf8
            return length.contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
        }
    }

    /// One of the words in a list.
    ///
    /// - Parameters:
    ///   - must: The requirement on the value, which follows the words "must be". The default is the list of words.
    ///   - longest: The maximum length in bytes. A longer text is rejected as too long.
    package static func choice(_ words: [String], must: String? = nil, longest: Int? = nil) -> FieldType {
        .text(must ?? .init(oneOf: words), like: words[0], longest: longest, schema: .choice(words)) {
            words.contains($0) ? $0 : nil
        }
    }
}

extension FieldType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// A case of the enumeration, given by its raw value.
    package static var choice: FieldType {
        let words = Value.allCases.map(\.rawValue)
        return .text(.init(oneOf: words), like: words[0], schema: .choice(words)) { Value(rawValue: $0) }
    }
}

extension String {
    fileprivate init(oneOf words: [String]) {
        self = "one of " + words.joined(separator: ", ")
    }
}

extension FieldType where Value == Timestamp {
    /// A date and time in the format of RFC 3339. A date without a time means the start of that day in UTC.
    package static var dateTime: FieldType {
        .text(
            "a date such as 2027-01-31T00:00:00Z", like: "2027-01-31T00:00:00Z",
            schema: .text(format: "date-time")
        ) { Timestamp(text: $0) }
    }

    /// The end of a period in the format of RFC 3339. A date without a time means the end of that day, 24:00 UTC.
    package static var end: FieldType {
        .text(
            "a date such as 2027-01-31T00:00:00Z", like: "2027-01-31T00:00:00Z",
            schema: .text(format: "date-time")
        ) { Timestamp(endText: $0) }
    }
}

extension FieldType {
    /// The id of a tenant, product or policy.
    package static func slug<Named>() -> FieldType where Value == Slug<Named> {
        .text(
            "1 to 64 characters: a-z, 0-9, _ and -, beginning with a letter or a digit", like: "x",
            schema: .text(pattern: "^[a-z0-9][a-z0-9_-]{0,63}$")
        ) {
            Slug($0)
        }
    }
}

extension FieldType where Value == LicenseID {
    /// A license's id, in uppercase or lowercase.
    package static var licenseID: FieldType {
        .text(
            "a license id", like: "lic_0000000000000",
            schema: .text(pattern: "^[Ll][Ii][Cc]_[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{12}$")
        ) { LicenseID(text: $0) }
    }
}

extension FieldType {
    /// An id that consists of a prefix, such as `enr_`, and a number in base 32.
    package static func numbered<Named: Numbered>() -> FieldType where Value == NumberedID<Named> {
        let prefix = Named.namePrefix
        return .text(
            "an id such as \(prefix)0000000000000", like: prefix + "0000000000000",
            schema: .text(pattern: "^\(prefix)[0-7][0-9a-hjkmnp-tv-z]{12}$")
        ) { NumberedID(text: $0) }
    }
}

extension FieldType where Value == ActivationID {
    /// An activation's id, which is a UUID.
    package static let activationID: FieldType = .text(
        "a UUID", like: "00000000-0000-4000-8000-000000000000", longest: 256, schema: .text(format: "uuid")
    ) { ActivationID(text: $0) }
}
