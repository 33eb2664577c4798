package import TenureCore
package import TenureServerKit

extension FieldType where Value == AppleItemID {
    package static var appleItem: FieldType<AppleItemID> {
        .text("an Apple item id", like: "6497405838", schema: .text(pattern: "^[1-9][0-9]{0,17}$")) {
            AppleItemID(text: $0)
        }
    }
}

extension FieldType where Value == String {
    package static var email: FieldType {
        .text(
            "an e-mail address without spaces or invisible characters", like: "ada@example.com",
            schema: .text(length: 3...254, pattern: EmailAddress.pattern)
        ) { EmailAddress.isOne($0) ? $0 : nil }
    }
}
