import TenureCore

/// Accounts, apps and the current time that these tests share.
enum Given {
    static let ada = AccountID("ada")!
    static let bob = AccountID("bob")!
    static let game = AppleItemID(number: 6_483_539_426)!
    static let other = AppleItemID(number: 6_497_405_838)!
    static let now = Timestamp(text: "2026-11-21T08:00:00Z")!

    static func item(_ number: UInt64) -> AppleItemID { AppleItemID(number: number)! }
    static func version(_ number: UInt64) -> AppleVersionID { AppleVersionID(number: number)! }
}
