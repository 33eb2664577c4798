import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure marketplace rotate`
enum MarketplaceRotateCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose marketplace.", as: Reading<TenantID>.slug())

    static let command = Command(
        "rotate", "Makes new simulated encryption and signing keys.",
        discussion: """
            The new certificates are served at once. The configuration names them, and licenses are signed with the new \
            key, five minutes later: when no device can hold the old configuration any more. Old certificates stay at \
            their URLs, and what was sealed to an old key still opens. Real keys come from Apple: import them.
            """,
        example: "tenure marketplace rotate --tenant acme",
        arguments: [tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let rotate = RotateMarketplaceKeys(
            catalog: try await installation.catalog(), master: installation.master, clock: installation.clock)
        let outcome = try await rotate(arguments[tenant], by: .commandLine)
        await installation.store.close()
        switch outcome {
        case .rotated(let encryption, let signing, let namedFrom):
            console.answer(
                "made encryption \(encryption) and signing \(signing) (simulated); named from \(namedFrom)",
                asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("encryption", encryption)
                body.member("signing", signing)
                body.member("namedFrom", namedFrom.description)
            }
        case .imported:
            throw CommandError(
                "The keys of \(arguments[tenant]) were imported. Import the new ones with `tenure marketplace import`.")
        case .noAssets:
            throw CommandError("\(arguments[tenant]) has no marketplace with keys. `tenure apply FILE` makes them.")
        }
        return .done
    }
}
