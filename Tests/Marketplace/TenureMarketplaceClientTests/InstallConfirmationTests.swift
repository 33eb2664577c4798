import TenureCore
import TenureMarketplaceClient
import Testing

/// Responses to the system's request to confirm an installation, and the device's record of installed apps.
@Suite struct InstallConfirmationTests {
    struct Row: Sendable {
        var grant = InstallConfirmation.Grant.granted
        var payment = InstallConfirmation.Payment.notAsked
        /// The age of the install token in seconds; `nil` without a token.
        var age: Int64?
        var account: AccountID? = Given.ada
        var item = Given.game
        var text = "jws"
        let answer: InstallConfirmation
    }

    private static let table: [Row] = [
        Row(answer: .fetchToken),
        Row(age: 0, answer: .confirmed("jws")),
        Row(age: 480, answer: .confirmed("jws")),
        Row(age: 481, answer: .fetchToken),
        Row(age: -1, answer: .fetchToken),
        Row(age: 0, text: "", answer: .fetchToken),
        Row(age: 0, account: Given.bob, answer: .fetchToken),
        Row(age: 0, item: Given.other, answer: .fetchToken),
        Row(age: 0, account: nil, answer: .cancel(.signedOut)),
        Row(grant: .forSale, answer: .payFirst),
        Row(grant: .forSale, age: 0, answer: .payFirst),
        Row(grant: .forSale, payment: .declined, age: 0, answer: .cancel(.declined)),
        Row(grant: .forSale, payment: .paid, answer: .fetchToken),
        Row(grant: .forSale, payment: .paid, age: 480, answer: .confirmed("jws")),
        Row(grant: .forSale, payment: .paid, age: 481, answer: .fetchToken),
        Row(grant: .granted, payment: .declined, age: 0, answer: .confirmed("jws")),
        Row(grant: .unavailable, age: 0, answer: .cancel(.unavailable)),
        Row(grant: .unavailable, payment: .paid, age: 0, answer: .cancel(.unavailable)),
        Row(grant: .unavailable, account: nil, answer: .cancel(.signedOut)),
    ]

    @Test(arguments: table)
    func `an installation is confirmed only for the signed-in account with a right to the app and a recent token`(
        _ row: Row
    ) {
        let token = row.age.map {
            GivenInstallToken(
                account: Given.ada, item: Given.game, text: row.text, receivedAt: Given.now.adding(seconds: -$0))
        }
        let answer = InstallConfirmation.decide(
            row.item, for: row.account, grant: row.grant, payment: row.payment, token: token, at: Given.now)
        #expect(answer == row.answer)
    }

    @Test(arguments: [("phone-1", true), ("phone-2", false), ("", false), ("PHONE-1", false)])
    func `the record of installed apps is used only on the device that made it`(_ device: String, _ counts: Bool) {
        var memory = InstallMemory(device: "phone-1")
        #expect(!memory.on("phone-1").isRedownload(Given.game))
        memory.didInstall(Given.game)
        #expect(memory.on(device).isRedownload(Given.game) == counts)
        #expect(memory.on(device).device == device)
        #expect(!memory.on(device).isRedownload(Given.other))
    }

    @Test func `the record of installed apps is ignored on a device without an id`() {
        #expect(!InstallMemory(device: "", items: [Given.game]).on("").isRedownload(Given.game))
    }
}
