import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplaceServer
import TenureStore

/// The commands `tenure marketplace hold` and `tenure marketplace release`.
enum MarketplaceHoldCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let item = Argument.required("item", "APP", "The app's number.", as: .appleItem)
    private static let version = Argument.optional(
        "version", "VERSION", "The version's number; all versions when it is left out.", as: .appleVersion)

    static let hold = command(
        "hold", "Holds a version of an app back: it is offered to nobody until it is released.", isHeld: true)
    static let release = command("release", "Offers a version that was held back again.", isHeld: false)

    private static func command(_ name: String, _ help: String, isHeld: Bool) -> Command {
        Command(
            name, help,
            discussion: """
                Restore, updates and installation follow at once, on every server. Licenses of devices that have the \
                version go on, and can be renewed.
                """,
            example: "tenure marketplace \(name) --tenant acme --item 6483539426 --version 868184258",
            arguments: [tenant, item, version, SharedOptions.json] + SharedOptions.installation
        ) { arguments, console in
            let installation = try await Installation.open(arguments, console: console)
            let outcome = try await HoldVersions(store: installation.store)(
                arguments[item], arguments[version], of: arguments[tenant], isHeld: isHeld)
            await installation.store.close()
            switch outcome {
            case .changed(let versions):
                let names = versions.map(\.description)
                let line =
                    names.isEmpty
                    ? "nothing to change" : "\(isHeld ? "held back" : "released"): \(names.joined(separator: ", "))"
                console.answer(line, asJSON: arguments[SharedOptions.json]) { body in
                    body.member("changed", names)
                    body.member("held", isHeld)
                }
            case .appUnknown:
                throw CommandError(
                    "\(arguments[tenant]) lists no app \(arguments[item]). The catalog file says which there are.")
            case .versionUnknown:
                throw CommandError("The app \(arguments[item]) has no such version. Nothing was changed.")
            }
            return .done
        }
    }
}
