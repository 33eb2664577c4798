import TenureCommandLine
import TenureFormats
import TenureServerKit
import TenureStore

/// The command `tenure content callback`.
enum ContentCallbackCommand {
    private static let rotate = Argument.flag(
        "rotate", "Create a new secret; the previous one works for another \(CallbackTokenRow.overlapDays) days.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "callback", "Prints the callback address for Kollus.",
            discussion: """
                Enter this path, after the server's address, as the callback in Kollus's console. Its last part is a \
                secret: anyone who knows it can activate devices and read license terms.
                """,
            example: "tenure content callback --tenant acme",
            arguments: [rotate, ContentReference.tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("path", .text())])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let path = try await ContentContext(catalog: catalog, clock: installation.clock).kollusCallbackPath(
                of: tenant, rotates: arguments[rotate])
            await installation.store.close()
            guard let path else {
                throw CommandError(
                    "\(tenant) has no Kollus settings. Add its keys to the catalog file and run `tenure apply FILE`.")
            }
            console.answer(path, asJSON: arguments[SharedOptions.json]) { $0.member("path", path) }
            return .done
        }
    }
}
