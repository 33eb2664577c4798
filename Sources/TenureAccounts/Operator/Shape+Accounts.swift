import TenureCore
import TenureMarketplace
import TenureServerKit

extension Shape where Value == AccountID {
    /// An account's name.
    static var accountID: Shape {
        .text("1 to 128 bytes without control characters", like: "ada", schema: .text(length: 1...128)) {
            AccountID($0)
        }
    }
}

extension Shape where Value == AppleItemID {
    /// Apple's number of an app.
    static var appleItem: Shape {
        .text("Apple's number of an app", like: "6497405838", schema: .text(pattern: "^[0-9]{1,19}$")) {
            AppleItemID(text: $0)
        }
    }
}

extension Shape where Value == String {
    /// An e-mail address.
    static var email: Shape {
        .text(
            "an e-mail address without blanks or invisible characters", like: "ada@example.com",
            schema: .text(length: 3...254, pattern: #"^[^@\s]+@[^@\s]+$"#)
        ) { EmailAddress.isOne($0) ? $0 : nil }
    }
}
