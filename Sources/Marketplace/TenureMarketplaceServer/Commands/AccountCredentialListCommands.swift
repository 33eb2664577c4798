import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The commands `tenure account credentials` and `tenure account end-credential`.
enum AccountCredentialListCommands {
    private static let id = Argument.positional(
        "ID", "The credential's id, as `tenure account credentials` shows it.", as: ArgumentReading<String>.text)

    static func list(_ installations: Installations) -> Command {
        Command(
            "credentials", "Lists an account's credentials: tokens, links, sessions and app sign-ins, newest first.",
            discussion: """
                The secrets themselves are not stored. A sign-in covers all tokens that an app got from it. Ended and \
                expired credentials are deleted after a month.
                """,
            example: "tenure account credentials ada",
            arguments: [AccountReference.id, AccountReference.tenant, SharedOptions.json, SharedOptions.wide]
                + SharedOptions.installation,
            output: Schema.page(
                "credentials",
                of: .output([
                    ("id", .text()), ("kind", .text()), ("createdAt", .dateTime), ("expiresAt", .momentOrNull),
                    ("endedAt", .momentOrNull),
                ]))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let ref = try AccountReference.read(arguments, in: try await installation.catalog())
            guard try await installation.store.account(ref) != nil else { throw AccountReference.unknown(ref) }
            let credentials = try await installation.store.listedCredentials(of: ref).reversed()
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("credentials") { list in
                        for credential in credentials {
                            list.object { body in
                                body.member("id", credential.id)
                                body.member("kind", credential.kind)
                                body.member("createdAt", credential.createdAt.description)
                                body.member("expiresAt", credential.expiresAt?.description)
                                body.member("endedAt", credential.endedAt?.description)
                            }
                        }
                    }
                    body.next(nil)
                }
                return .done
            }
            var table = TextTable([
                .text("credential"), .text("kind"), .text("created"), .text("expires"), .text("ended"),
            ])
            for credential in credentials {
                table.add([
                    credential.id, credential.kind, credential.createdAt.local,
                    credential.expiresAt?.local ?? "never", credential.endedAt?.local ?? "-",
                ])
            }
            console.answer(table)
            return .done
        }
    }

    static func end(_ installations: Installations) -> Command {
        Command(
            "end-credential", "Ends a token, link, session or app sign-in of an account.",
            discussion: "It is refused from the next request on. Repeating the command changes nothing.",
            example: "tenure account end-credential cred_5f0c1d2e3a4b5c6d",
            arguments: [id, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("credential", .text()), ("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let ended = try await installation.marketplace().endCredential(arguments[id], by: .commandLine)
            await installation.store.close()
            guard let ended else {
                throw CommandError(
                    "There is no credential \(arguments[id]). Run `tenure account credentials ACCOUNT` to list an account's credentials."
                )
            }
            let name = "\(ended.credential.kind) \(ended.credential.id) of \(ended.credential.account)"
            console.answer(
                ended.changed ? "ended the \(name)" : "the \(name) had already ended",
                asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("credential", ended.credential.id)
                body.member("changed", ended.changed)
            }
            return .done
        }
    }
}
