package import TenureCore

extension FieldType where Value == AccountID {
    /// An account's id: 1 to 128 bytes without control characters.
    package static var accountID: FieldType<AccountID> {
        .text(
            "1 to 128 bytes without control characters", like: "ada",
            schema: .text(length: 1...128, pattern: "^[^\\x00-\\x1f\\x7f-\\x9f]+$")
        ) { AccountID($0) }
    }
}
