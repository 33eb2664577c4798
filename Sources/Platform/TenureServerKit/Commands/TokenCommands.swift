import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The command group `tenure token`.
enum TokenCommands {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant that the token acts for.", as: ArgumentReading<TenantID>.slug())
    private static let name = Argument.option("name", "TEXT", "The token's name.", as: .text, default: "unnamed")
    private static let days: Argument<Int?> = .optional(
        "expires-in-days", "N", "How many days the token is valid; without it, the token never expires.",
        as: .int(in: 1...3650))
    private static let id = Argument.positional("TOKEN", "The token's id: tok_...", as: .text)

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "token", "Creates, lists and revokes operators' tokens.",
            example: "tenure token create --tenant acme --scope licenses:write --name shop",
            commands: [create(installations), list(installations), revoke(installations)])
    }

    private static func create(_ installations: Installations) -> Command {
        let allScopes = installations.features.scopes
        let scopes = Argument.repeated("scope", "SCOPE", "What the token may do.", as: .choice(allScopes))
        return Command(
            "create", "Creates a token; its text is shown once.",
            example: "tenure token create --tenant acme --scope licenses:read --scope licenses:write --name shop",
            arguments: [tenant, scopes, name, days, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("token", .text())] + TokenRecord.members)
        ) { arguments, console in
            if arguments[scopes].isEmpty {
                throw UsageError("give at least one --scope: \(allScopes.joined(separator: ", "))")
            }
            let installation = try await installations.open(arguments, console: console)
            _ = try await installation.catalog().current.catalog.named(arguments[tenant])
            let now = installation.clock.now()
            let token = try await installation.context.makeToken(
                for: arguments[tenant], name: arguments[name], scopes: Array(Set(arguments[scopes])),
                expiresAt: arguments[days].map { now.adding(days: $0) })
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.member("token", token.text)
                    body.token(token.record)
                }
            } else {
                console.answer("token   \(token.text)   (shown once)")
                console.answer("id      \(token.record.id)")
                console.answer("scopes  \(token.record.scopes.joined(separator: " "))")
            }
            return .done
        }
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists tokens, but not their texts, newest first.", example: "tenure token list --tenant acme",
            arguments: [SharedOptions.tenant, SharedOptions.json, SharedOptions.wide] + SharedOptions.installation,
            output: Schema.page("tokens", of: .output(TokenRecord.members))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            try await installation.catalog().current.catalog.check(tenant: arguments[SharedOptions.tenant])
            let tokens = try await installation.context.store.tokens(of: arguments[SharedOptions.tenant])
                .reversed()
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("tokens") { list in
                        for token in tokens { list.object { $0.token(token) } }
                    }
                    body.next(nil)
                }
                return .done
            }
            var table = TextTable([
                .text("token"), .text("tenant"), .text("name"), .text("scopes"), .text("expires"), .text("revoked"),
            ])
            for token in tokens {
                table.add([
                    token.id, token.tenant.text, token.name, token.scopes.joined(separator: " "),
                    token.expiresAt?.local ?? "never", token.revokedAt?.local ?? "-",
                ])
            }
            console.answer(table)
            return .done
        }
    }

    private static func revoke(_ installations: Installations) -> Command {
        Command(
            "revoke", "Revokes a token at once.", discussion: "Repeating the command changes nothing.",
            example: "tenure token revoke tok_0123456789abc",
            arguments: [id, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output(TokenRecord.members)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let revoked = try await installation.context.revokeToken(arguments[id])
            await installation.store.close()
            guard let revoked else {
                throw CommandError("There is no token \(arguments[id]). Run `tenure token list` to see all tokens.")
            }
            console.answer("revoked \(revoked.id)", asJSON: arguments[SharedOptions.json]) { $0.token(revoked) }
            return .done
        }
    }
}
