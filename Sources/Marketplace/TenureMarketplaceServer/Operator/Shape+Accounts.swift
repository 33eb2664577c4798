package import TenureCore
package import TenureServerKit

extension Shape where Value == AccountID {
    /// An account's id.
    package static var accountID: Shape<AccountID> {
        .text(
            "1 to 128 bytes without control characters", like: "ada",
            schema: .text(length: 1...128, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]+$")
        ) { AccountID($0) }
    }
}

extension Shape where Value == AppleItemID {
    /// An Apple item id.
    package static var appleItem: Shape<AppleItemID> {
        .text("an Apple item id", like: "6497405838", schema: .text(pattern: "^[1-9][0-9]{0,17}$")) {
            AppleItemID(text: $0)
        }
    }
}

extension Shape where Value == String {
    /// An e-mail address.
    package static var email: Shape {
        .text(
            "an e-mail address without spaces or invisible characters", like: "ada@example.com",
            schema: .text(length: 3...254, pattern: EmailAddress.pattern)
        ) { EmailAddress.isOne($0) ? $0 : nil }
    }
}
