import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

enum MarketplaceDeveloperTokenCommand {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant of the marketplace.", as: ArgumentReading<TenantID>.slug())
    private static let developer = Argument.required(
        "developer", "UUID", "The developer's id, which the developer sees in App Store Connect.",
        as: ArgumentReading { text in
            guard ActivationID(text: text.lowercased()) != nil else { throw UsageError("enter a UUID") }
            return text
        })
    private static let days = Argument.option(
        "days", "N", "How many days the token is valid.",
        as: .int(in: MarketplaceToken.days.lowerBound...MarketplaceToken.days.upperBound), default: 6)

    static func command(_ installations: Installations) -> Command {
        Command(
            "developer-token", "Creates a token with which a developer authorizes the marketplace to offer apps.",
            discussion: """
                The developer pastes the token into App Store Connect, which identifies the marketplace by its \
                distribution key. The token is not stored.
                """,
            example:
                "tenure marketplace developer-token --tenant acme --developer 69a6de70-03db-47e3-e053-5b8c7c11a4d1 --days 3",
            arguments: [tenant, developer, days, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("token", .text()), ("expiresAt", .dateTime)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let outcome = try await installation.marketplace().makeMarketplaceToken(
                for: arguments[developer], of: arguments[tenant], days: arguments[days])
            await installation.store.close()
            switch outcome {
            case .created(let token, let expiresAt):
                console.answer(token, asJSON: arguments[SharedOptions.json]) { body in
                    body.member("token", token)
                    body.member("expiresAt", expiresAt.description)
                }
                if !arguments[SharedOptions.json] { console.note("valid until \(expiresAt.local)") }
                return .done
            case .noMarketplace:
                throw CommandError(
                    "\(arguments[tenant]) has no marketplace with keys. Run `tenure apply FILE` to create them.")
            case .noOwnApp:
                throw CommandError(
                    "The marketplace of \(arguments[tenant]) has no app id of its own. Add its \"appleItemID\" to the catalog file and "
                        + "run `tenure apply FILE`.")
            case .wrong: throw UsageError("enter the developer's UUID, and 1 to 6 days")
            }
        }
    }
}
