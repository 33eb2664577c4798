import TenureMarketplace
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplaceServer
import TenureStore

/// The command `tenure marketplace developer-token`.
enum MarketplaceDeveloperTokenCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let developer = Argument.required(
        "developer", "UUID", "The developer's id, which App Store Connect shows the developer.",
        as: ArgumentReading { text throws(UsageError) in
            guard ActivationID(text: text.lowercased()) != nil else { throw UsageError("write a UUID") }
            return text
        })
    private static let days = Argument.option(
        "days", "N", "For how many days it is good.",
        as: .int(in: MarketplaceToken.days.lowerBound...MarketplaceToken.days.upperBound), default: 6)

    static let command = Command(
        "developer-token", "Makes the token with which a developer lets the marketplace offer apps.",
        discussion: """
            The developer pastes it into App Store Connect, which knows the marketplace by its distribution key. Nothing is \
            stored of it.
            """,
        example:
            "tenure marketplace developer-token --tenant acme --developer 69a6de70-03db-47e3-e053-5b8c7c11a4d1 --days 3",
        arguments: [tenant, developer, days, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let make = MakeMarketplaceToken(catalog: try await installation.catalog(), clock: installation.clock)
        let outcome = try await make(
            for: arguments[developer], of: arguments[tenant], days: arguments[days])
        await installation.store.close()
        switch outcome {
        case .made(let token, let expiresAt):
            console.answer(token, asJSON: arguments[SharedOptions.json]) { body in
                body.member("token", token)
                body.member("expiresAt", expiresAt.description)
            }
            if !arguments[SharedOptions.json] { console.note("good until \(expiresAt)") }
            return .done
        case .noMarketplace:
            throw CommandError("\(arguments[tenant]) has no marketplace with keys. `tenure apply FILE` makes them.")
        case .noOwnApp:
            throw CommandError(
                "The marketplace of \(arguments[tenant]) names no app of its own. Add its \"appleItemID\" to the catalog and "
                    + "apply it.")
        case .wrong: throw UsageError("write the developer's UUID, and 1 to 6 days")
        }
    }
}
