import TenureCommandLine
import TenureCore
import TenureDevice

/// `tenure device renew`
enum DeviceRenewCommand {
    static let command = Command(
        "renew", "Renews licenses now, as requestLicenseRenewal does in a marketplace app.",
        discussion: """
            With --item it asks for the licenses of these apps. Without, it does what a good marketplace app does each \
            day: it asks the marketplace which licenses to renew, which needs the account's token. Ends with 1 when a \
            license is not renewed.
            """,
        example: "tenure device renew phone --item 6483539426",
        arguments: [DeviceOptions.folder, DeviceOptions.items, SharedOptions.json]
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        let now = open.now
        var items = arguments[DeviceOptions.items]
        if items.isEmpty { items = try await open.session.appsToRenew().map(\.item) }
        let renewal = try await open.session.renew(items, at: now)
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { $0.renewal(renewal, at: now) }
        } else {
            console.answer(lines: items.isEmpty ? ["nothing to renew"] : renewal.lines(at: now))
        }
        return renewal.isWhole ? .done : .failed
    }
}
