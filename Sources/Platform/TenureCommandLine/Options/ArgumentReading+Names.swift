package import TenureCore

extension ArgumentReading {
    /// The id of a tenant, product or policy.
    package static func slug<Named>() -> ArgumentReading where Value == Slug<Named> {
        ArgumentReading { text in
            guard let slug = Slug<Named>(text) else {
                throw UsageError("enter 1 to 64 of a-z, 0-9, _ and -, beginning with a letter or a digit")
            }
            return slug
        }
    }
}

extension ArgumentReading where Value == TermEnd {
    /// `never`, or a date in RFC 3339. A date without a time is the end of that day, 24:00 UTC.
    package static var end: ArgumentReading {
        ArgumentReading { text in
            guard let end = TermEnd(text: text) else {
                throw UsageError("enter a date such as 2027-01-31 (to 24:00 UTC) or 2027-01-31T12:00:00Z, or never")
            }
            return end
        }
    }
}

extension ArgumentReading where Value == Timestamp {
    /// A start in RFC 3339. A date without a time is the start of that day, 00:00 UTC.
    package static var start: ArgumentReading {
        ArgumentReading { text in
            guard let time = Timestamp(text: text) else {
                throw UsageError("enter a date such as 2027-01-31 (from 00:00 UTC) or 2027-01-31T12:00:00Z")
            }
            return time
        }
    }

    /// An end in RFC 3339. A date without a time is the end of that day, 24:00 UTC.
    package static var end: ArgumentReading {
        ArgumentReading { text in
            guard let time = Timestamp(endText: text) else {
                throw UsageError("enter a date such as 2027-01-31 (to 24:00 UTC) or 2027-01-31T12:00:00Z")
            }
            return time
        }
    }
}

extension ArgumentReading where Value == AppleItemID {
    /// Apple's id of an app; the error message calls it `appleItemID`, as manifests do.
    package static var item: ArgumentReading {
        ArgumentReading { text in
            guard let item = AppleItemID(text: text) else {
                throw UsageError("enter the app's appleItemID, such as 6483539426")
            }
            return item
        }
    }

    /// Apple's id of an app; the error message asks for a number.
    package static var appleItem: ArgumentReading {
        ArgumentReading { text in
            guard let item = AppleItemID(text: text) else { throw UsageError("enter a number such as 6483539426") }
            return item
        }
    }
}

extension ArgumentReading where Value == AppleVersionID {
    /// Apple's id of a version of an app.
    package static var appleVersion: ArgumentReading {
        ArgumentReading { text in
            guard let version = AppleVersionID(text: text) else { throw UsageError("enter a number such as 863214182") }
            return version
        }
    }
}

extension ArgumentReading {
    /// An id that consists of a prefix and a number; for any other text, the error is "enter" and `words`.
    package static func numbered<Named>(_ words: String) -> ArgumentReading where Value == NumberedID<Named> {
        ArgumentReading { text in
            guard let id = NumberedID<Named>(text: text) else { throw UsageError("enter \(words)") }
            return id
        }
    }
}
