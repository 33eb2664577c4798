import TenureCommandLine
import TenureCore

/// `tenure license renew`
enum LicenseRenewCommand {
    private static let days: Argument<Int?> = .optional("days", "N", "Add so many days.", as: .int(in: 1...36_500))
    private static let until: Argument<Timestamp?> = .optional(
        "until", "DATE", "Renew to this moment.",
        as: Reading { text throws(UsageError) in
            guard let moment = Timestamp(text: text) else { throw UsageError("write a date such as 2027-01-31") }
            return moment
        })

    static let command = Command(
        "renew", "Replaces a license's term by a later one.",
        discussion: """
            Without --days or --until the policy's duration is added. Days count from the end of a running term, so an \
            early renewal loses nothing; a license that has expired starts again now. A suspended license is renewed and \
            stays suspended.
            """,
        example: "tenure license renew NOTE-PRO0-0000-0001 --days 30",
        arguments: LicenseReference.arguments + [days, until, SharedOptions.json]
    ) { arguments, console in
        if arguments[days] != nil, arguments[until] != nil { throw UsageError("give --days or --until, not both") }
        let length: RenewalLength =
            if let count = arguments[days] { .days(count) } else if let moment = arguments[until] {
                .until(moment)
            } else {
                .policy
            }
        return try await LicenseAct.perform(arguments, console: console) { _, _ in .init(act: .renew(length)) }
    }
}
