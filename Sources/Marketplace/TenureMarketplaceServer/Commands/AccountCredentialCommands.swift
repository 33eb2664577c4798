import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit
import TenureStore

/// The commands `tenure account token` and `tenure account link`.
enum AccountCredentialCommands {
    private static let days: Argument<Int?> = .optional(
        "days", "N", "How many days the token is valid; without it, the token never expires.", as: .int(in: 1...3650))
    private static let handoff = Argument.flag(
        "handoff",
        "Create a token for an installation link. The marketplace app exchanges it for its own token, once, within 15 minutes."
    )
    private static let out: Argument<String?> = .optional(
        "out", "FILE", "Write the token to this new file instead, for `tenure device new --token-file`.", as: .text)
    private static let hours = Argument.option(
        "hours", "N", "How many hours the link is valid, used or not.", as: .int(in: 1...720), default: 24)

    private static let baseURL = SharedOptions.baseURL(
        "The address at which people reach the server; without it, https and the marketplace's domain.")

    private struct Shown {
        let text: String
        let expiresAt: Timestamp?
    }

    static func token(_ installations: Installations) -> Command {
        Command(
            "token", "Creates a token for an account; it is shown once.",
            discussion:
                "Devices and marketplace apps send it as `Authorization: Bearer TOKEN`. Only its digest is stored.",
            example: "tenure account token ada --days 90",
            arguments: [AccountReference.id, days, handoff, out, AccountReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output(
                [("account", .text()), ("tenant", .text()), ("expiresAt", .momentOrNull)],
                optional: [("token", .text())])
        ) { arguments, console in
            if arguments[handoff], arguments[days] != nil {
                throw UsageError("give --days or --handoff, not both: a handoff token is always valid for 15 minutes")
            }
            let installation = try await installations.open(arguments, console: console)
            let market = try await installation.marketplace()
            let ref = try AccountReference.read(arguments, in: market.catalog)
            let now = installation.clock.now()
            let file = try arguments[out].map { path throws(CommandError) in try NewFile(creating: path) }
            let credential =
                arguments[handoff]
                ? try await market.makeHandoff(for: ref, by: .commandLine).map {
                    Shown(text: $0.text, expiresAt: $0.expiresAt)
                }
                : try await market.makeToken(
                    for: ref, expiresAt: arguments[days].map { now.adding(days: $0) }, by: .commandLine
                ).map { Shown(text: $0.text, expiresAt: $0.credential.expiresAt) }
            guard let credential else {
                file?.remove()
                throw try await AccountReference.missing(ref, in: installation.store)
            }
            await installation.store.close()
            if let file {
                try file.write(credential.text + "\n", loss: "The token is lost; create another one.")
                try file.sync()
            }
            if arguments[SharedOptions.json] {
                console.answer { body in
                    if file == nil { body.member("token", credential.text) }
                    body.member("account", ref.account.text)
                    body.member("tenant", ref.tenant.text)
                    body.member("expiresAt", credential.expiresAt?.description)
                }
            } else {
                console.answer(
                    "token    \(file.map { "written to \($0.path)" } ?? "\(credential.text)   (shown once)")")
                console.answer("account  \(ref)")
                console.answer("expires  \(credential.expiresAt?.local ?? "never")")
            }
            return .done
        }
    }

    static func link(_ installations: Installations) -> Command {
        Command(
            "link", "Creates a one-time link that signs a person in on the resolution page.",
            discussion:
                "Anyone who has the link is signed in as that person, so send it to nobody else. Only its digest is stored.",
            example: "tenure account link ada --hours 24",
            arguments: [AccountReference.id, hours, baseURL, AccountReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output([
                ("url", .text()), ("account", .text()), ("tenant", .text()), ("expiresAt", .dateTime),
            ])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let market = try await installation.marketplace()
            let catalog = market.catalog
            let ref = try AccountReference.read(arguments, in: catalog)
            let end = installation.clock.now().adding(seconds: Int64(arguments[hours]) * 3600)
            let credential = try await market.makeLink(for: ref, expiresAt: end, by: .commandLine)
            guard let credential, let domain = catalog.current.catalog.tenants[ref.tenant]?.marketplace?.domain else {
                throw try await AccountReference.missing(ref, in: installation.store)
            }
            await installation.store.close()
            let url = (arguments[baseURL] ?? "https://\(domain)") + "/resolve/\(ref.tenant)/link/\(credential.text)"
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.member("url", url)
                    body.member("account", ref.account.text)
                    body.member("tenant", ref.tenant.text)
                    body.member("expiresAt", end.description)
                }
            } else {
                console.answer(url)
                console.note("the link signs \(ref) in once, until \(end.local); it is shown only now")
            }
            return .done
        }
    }
}
