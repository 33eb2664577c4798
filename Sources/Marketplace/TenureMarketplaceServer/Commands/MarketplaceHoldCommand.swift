import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The commands `tenure marketplace hold` and `tenure marketplace release`.
enum MarketplaceHoldCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let item = Argument.required("item", "APP", "The app's Apple item id.", as: .appleItem)
    private static let version = Argument.optional(
        "version", "VERSION", "The Apple version id; default: all versions.", as: .appleVersion)

    static func hold(_ installations: Installations) -> Command {
        command(
            installations,
            "hold", "Withholds a version of an app until it is released.", isHeld: true)
    }
    static func release(_ installations: Installations) -> Command {
        command(installations, "release", "Offers a withheld version of an app again.", isHeld: false)
    }

    private static func command(_ installations: Installations, _ name: String, _ help: String, isHeld: Bool) -> Command
    {
        Command(
            name, help,
            discussion: """
                The change applies to restores, updates and installations at once, on every server. Licenses of \
                devices that have the version stay valid and can be renewed.
                """,
            example: "tenure marketplace \(name) --tenant acme --item 6483539426 --version 868184258",
            arguments: [tenant, item, version, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("changed", .texts), ("held", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let outcome = try await installation.context.holdVersions(
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
                    "The catalog of \(arguments[tenant]) has no app \(arguments[item]). Choose an app from the catalog file."
                )
            case .versionUnknown:
                throw CommandError(
                    "Nothing was changed: the app \(arguments[item]) has no such version. Run `tenure marketplace packages` to see its versions."
                )
            }
            return .done
        }
    }
}
