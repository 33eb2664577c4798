import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensingServer
import TenureServerKit
import TenureStore

/// The command group `tenure key`.
enum KeyCommands {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose keys.", as: ArgumentReading<TenantID>.slug())
    private static let overlap: Argument<Int?> = .optional(
        "overlap-days", "N", "How long the old key stays published; at least as long as anything it signed is valid.",
        as: .int(in: 1...3650))

    static let group = CommandGroup(
        "key", "Lists, prepares, rotates and withdraws the keys that sign leases.",
        example: "tenure key rotate --tenant acme",
        commands: [list, prepare, rotate, withdraw])

    private static let list = Command(
        "list", "Lists signing keys and their public halves.", example: "tenure key list --tenant acme",
        arguments: [SharedOptions.tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        try await installation.catalog().current.catalog.check(tenant: arguments[SharedOptions.tenant])
        let isMeant: (TenantID) -> Bool = { tenant in arguments[SharedOptions.tenant].map { $0 == tenant } ?? true }
        let keys = try await installation.store.signingKeys().filter { isMeant($0.tenant) }
        let prepared = try await installation.store.preparedKeys().filter { isMeant($0.tenant) }
        await installation.store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("keys") { list in
                    for key in keys { list.object { $0.signingKey(key) } }
                    for key in prepared { list.object { $0.signingKey(key) } }
                }
            }
            return .done
        }
        var table = TextTable([
            .text("tenant"), .text("kid"), .text("standing"), .text("public key"), .text("made"),
            .text("published until"),
        ])
        for key in keys {
            table.add([
                key.tenant.text, key.kid, key.standing.rawValue, Base64.encode(key.publicKey),
                key.createdAt.description,
                key.publishedUntil?.description ?? "-",
            ])
        }
        for key in prepared {
            table.add([
                key.tenant.text, key.kid, "prepared", Base64.encode(key.publicKey), key.createdAt.description, "-",
            ])
        }
        console.answer(table)
        return .done
    }

    private static let prepare = Command(
        "prepare", "Publishes the key that will sign next, so that apps can be built to know it.",
        discussion: """
            It stands in the tenant's keysets and signs nothing until `tenure key rotate`. Ship it in an app before you \
            rotate: apps that trust the keys they were built with go on then. Repeating it changes nothing.
            """,
        example: "tenure key prepare --tenant acme",
        arguments: [tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        _ = try catalog.current.catalog.named(arguments[tenant])
        let keys = RotateLeaseKey(
            catalog: catalog, master: installation.master, clock: installation.clock)
        let prepared = try await keys.prepare(arguments[tenant])
        await installation.store.close()
        guard let prepared else { throw noTenant(arguments[tenant]) }
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.signingKey(prepared.key)
                body.member("changed", prepared.isNew)
            }
        } else {
            let made = prepared.isNew ? "prepared" : "prepared already"
            console.answer("\(prepared.key.kid)  \(made), public key \(Base64.encode(prepared.key.publicKey))")
        }
        return .done
    }

    private static func noTenant(_ tenant: TenantID) -> CommandError {
        CommandError("The tenant \(tenant) is gone. `tenure apply FILE` adds it.")
    }

    private static let rotate = Command(
        "rotate", "Lets a new key sign; the old one stays published for a while.",
        discussion: """
            It is the key that `tenure key prepare` has published, or one that is made now. New leases are signed with it \
            at once, by a running server too. Clients learn it from the tenant's keyset; the old key stays in it until \
            everything it signed has ended, or until `tenure key withdraw` where something has no end.
            """,
        example: "tenure key rotate --tenant acme",
        arguments: [tenant, overlap, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        _ = try catalog.current.catalog.named(arguments[tenant])
        let rotate = RotateLeaseKey(
            catalog: catalog, master: installation.master, clock: installation.clock)
        let keys = try await rotate(arguments[tenant], overlapDays: arguments[overlap])
        await installation.store.close()
        guard let keys else { throw noTenant(arguments[tenant]) }
        for key in keys where key.standing != .retired {
            if arguments[SharedOptions.json] {
                console.answer { $0.signingKey(key) }
            } else {
                var until = key.publishedUntil.map { ", published until \($0)" } ?? ""
                if key.standing == .retiring, key.publishedUntil == nil {
                    until = ", published until `tenure key withdraw \(key.kid) --tenant \(key.tenant)`"
                }
                console.answer("\(key.kid)  \(key.standing.rawValue)\(until)")
            }
        }
        return .done
    }

    private static let kid = Argument.positional("KID", "Which key, as `tenure key list` names it.", as: .text)

    private static let withdraw = Command(
        "withdraw", "Stops publishing a key that no longer signs.",
        discussion: """
            For a key that stays published because something it signed has no end, or one that may have leaked. Clients \
            drop it with the next keyset that they read, and ask anew for what it signed: until then that does not verify. \
            A key that signs is replaced first, with `tenure key rotate`. Repeating it changes nothing.
            """,
        example: "tenure key withdraw k1 --tenant acme",
        arguments: [kid, tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        _ = try catalog.current.catalog.named(arguments[tenant])
        let keys = RotateLeaseKey(catalog: catalog, master: installation.master, clock: installation.clock)
        let (name, owner) = (arguments[kid], arguments[tenant])
        let outcome = try await keys.withdraw(name, of: owner)
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
                console.answer("\(name)  \(isNew ? "withdrawn" : "withdrawn already")")
            }
            return .done
        case .unknown:
            throw CommandError(
                "The tenant \(owner) has no key \(name.printable). `tenure key list --tenant \(owner)` shows them.")
        case .signs:
            throw CommandError(
                "\(name) signs everything now. Run `tenure key rotate --tenant \(owner)` first, then withdraw it.")
        case .prepared:
            throw CommandError("\(name) has signed nothing yet; there is nothing to withdraw.")
        }
    }
}
