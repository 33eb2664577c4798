import TenureCommandLine
import TenureContentServer
import TenureFormats
import TenureStore

/// The command `tenure content callback`.
enum ContentCallbackCommand {
    private static let rotate = Argument.flag(
        "rotate", "Make a new secret; the one before works for \(CallbackPath.overlapDays) days more.")

    static let command = Command(
        "callback", "Tells where Kollus's players are to ask.",
        discussion: """
            Behind the server's address, this is the callback to name in Kollus's console. Its last part is a secret: who \
            knows it can take places and read terms.
            """,
        example: "tenure content callback --tenant acme",
        arguments: [rotate, ContentReference.tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let tenant = try ContentReference.tenant(arguments, in: catalog)
        let path = try await CallbackPath(catalog: catalog, clock: installation.clock)(
            tenant, rotates: arguments[rotate])
        await installation.store.close()
        guard let path else {
            throw CommandError(
                "\(tenant) has nothing with Kollus. Name its keys in the catalog file, and `tenure apply` it.")
        }
        console.answer(path, asJSON: arguments[SharedOptions.json]) { $0.member("path", path) }
        return .done
    }
}
