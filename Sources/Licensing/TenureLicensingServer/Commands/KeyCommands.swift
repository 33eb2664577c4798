import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command group `tenure key`.
enum KeyCommands {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant whose keys to use.", as: ArgumentReading<TenantID>.slug())
    private static let overlap: Argument<Int?> = .optional(
        "overlap-days", "N",
        "How many days the old key stays published; at least as long as anything it signed is valid.",
        as: .int(in: 1...3650))

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "key", "Manages the keys that sign leases.",
            example: "tenure key rotate --tenant acme",
            commands: [list(installations), prepare(installations), rotate(installations), withdraw(installations)])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists signing keys with their public keys, newest first.",
            example: "tenure key list --tenant acme",
            arguments: [SharedOptions.tenant, SharedOptions.json, SharedOptions.wide] + SharedOptions.installation,
            output: Schema.page("keys", of: .output(SigningKeyRecord.members))
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            try await installation.catalog().current.catalog.check(tenant: arguments[SharedOptions.tenant])
            let isMeant: (TenantID) -> Bool = { tenant in arguments[SharedOptions.tenant].map { $0 == tenant } ?? true }
            let keys = try await installation.store.signingKeys().filter { isMeant($0.tenant) }.reversed()
            let prepared = try await installation.store.preparedKeys().filter { isMeant($0.tenant) }
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.array("keys") { list in
                        for key in prepared { list.object { $0.signingKey(key) } }
                        for key in keys { list.object { $0.signingKey(key) } }
                    }
                    body.next(nil)
                }
                return .done
            }
            var table = TextTable([
                .text("tenant"), .text("kid"), .state("state"), .text("public key"), .text("created"),
                .text("published until"),
            ])
            for key in prepared {
                table.add([
                    key.tenant.text, key.kid, "prepared", Base64.encode(key.publicKey), key.createdAt.local, "-",
                ])
            }
            for key in keys {
                table.add([
                    key.tenant.text, key.kid, key.status.rawValue, Base64.encode(key.publicKey),
                    key.createdAt.local,
                    key.publishedUntil?.local ?? "-",
                ])
            }
            console.answer(table)
            return .done
        }
    }

    private static func prepare(_ installations: Installations) -> Command {
        Command(
            "prepare", "Publishes the next signing key, so that apps can be built with it.",
            discussion: """
                The key appears in the tenant's keysets, but signs nothing until `tenure key rotate`. Ship an app that \
                includes it before you rotate, so that apps that trust only built-in keys keep working. Repeating the \
                command changes nothing.
                """,
            example: "tenure key prepare --tenant acme",
            arguments: [tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output(SigningKeyRecord.members + [("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let licensing = try await installation.licensing()
            _ = try licensing.catalog.current.catalog.named(arguments[tenant])
            let prepared = try await licensing.prepareLeaseKey(of: arguments[tenant])
            await installation.store.close()
            guard let prepared else { throw noTenant(arguments[tenant]) }
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.signingKey(prepared.key)
                    body.member("changed", prepared.isNew)
                }
            } else {
                let state = prepared.isNew ? "prepared" : "already prepared"
                console.answer("\(prepared.key.kid)  \(state), public key \(Base64.encode(prepared.key.publicKey))")
            }
            return .done
        }
    }

    private static func noTenant(_ tenant: TenantID) -> CommandError {
        CommandError("The tenant \(tenant) no longer exists. Run `tenure apply FILE` to add it again.")
    }

    private static func rotate(_ installations: Installations) -> Command {
        Command(
            "rotate", "Starts signing with a new key; the old one stays published for a while.",
            discussion: """
                Uses the key that `tenure key prepare` published, or creates one. New leases are signed with it at \
                once, also by a running server. Clients learn it from the tenant's keyset. The old key stays published \
                until everything it signed has expired, or until `tenure key withdraw` if something it signed never \
                expires.
                """,
            example: "tenure key rotate --tenant acme",
            arguments: [tenant, overlap, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output(SigningKeyRecord.members)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let licensing = try await installation.licensing()
            _ = try licensing.catalog.current.catalog.named(arguments[tenant])
            let keys = try await licensing.rotateLeaseKey(of: arguments[tenant], overlapDays: arguments[overlap])
            await installation.store.close()
            guard let keys else { throw noTenant(arguments[tenant]) }
            for key in keys where key.status != .retired {
                if arguments[SharedOptions.json] {
                    console.answer { $0.signingKey(key) }
                } else {
                    var until = key.publishedUntil.map { ", published until \($0.local)" } ?? ""
                    if key.status == .retiring, key.publishedUntil == nil {
                        until = ", published until `tenure key withdraw \(key.kid) --tenant \(key.tenant)`"
                    }
                    console.answer("\(key.kid)  \(key.status.rawValue)\(until)")
                }
            }
            return .done
        }
    }

    private static let kid = Argument.positional("KID", "The key's id, as shown by `tenure key list`.", as: .text)

    private static func withdraw(_ installations: Installations) -> Command {
        Command(
            "withdraw", "Stops publishing an old signing key.",
            discussion: """
                For a key that stays published because something it signed never expires, or a key that may have \
                leaked. Clients drop it with the next keyset that they read, and then request replacements for what it \
                signed, which no longer verifies. Replace the current signing key with `tenure key rotate` first. \
                Repeating the command changes nothing.
                """,
            example: "tenure key withdraw k1-q7d2 --tenant acme",
            arguments: [kid, tenant, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("tenant", .text()), ("kid", .text()), ("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let licensing = try await installation.licensing()
            _ = try licensing.catalog.current.catalog.named(arguments[tenant])
            let (name, owner) = (arguments[kid], arguments[tenant])
            let outcome = try await licensing.withdrawLeaseKey(name, of: owner)
            await installation.store.close()
            switch outcome {
            case .withdrawn(let isNew):
                if arguments[SharedOptions.json] {
                    console.answer { body in
                        body.member("tenant", owner.text)
                        body.member("kid", name)
                        body.member("changed", isNew)
                    }
                } else {
                    console.answer("\(name)  \(isNew ? "withdrawn" : "already withdrawn")")
                }
                return .done
            case .unknown:
                throw CommandError(
                    "The tenant \(owner) has no key \(name.printable). Run `tenure key list --tenant \(owner)` to see its keys."
                )
            case .signs:
                throw CommandError(
                    "\(name) is the current signing key. Run `tenure key rotate --tenant \(owner)` first, then withdraw it."
                )
            case .prepared:
                throw CommandError("\(name) has not signed anything yet, so there is nothing to withdraw.")
            }
        }
    }
}
