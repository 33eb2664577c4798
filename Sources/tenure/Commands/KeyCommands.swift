import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureStore

/// `tenure key ...`
enum KeyCommands {
    private static let tenant = Argument.required(
        "tenant", "TENANT", "Whose keys.", as: ArgumentReading<TenantID>.slug())
    private static let overlap: Argument<Int?> = .optional(
        "overlap-days", "N", "How long the old key stays published; at least as long as anything it signed is valid.",
        as: .int(in: 1...3650))

    static let group = CommandGroup(
        "key", "Lists and rotates the keys that sign leases.", example: "tenure key rotate --tenant acme",
        commands: [list, rotate])

    private static let list = Command(
        "list", "Lists signing keys and their public halves.", example: "tenure key list --tenant acme",
        arguments: [SharedOptions.tenant, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let keys = try await installation.store.signingKeys().filter { key in
            arguments[SharedOptions.tenant].map { $0 == key.tenant } ?? true
        }
        await installation.store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("keys") { list in
                    for key in keys { list.object { $0.signingKey(key) } }
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
        console.answer(table)
        return .done
    }

    private static let rotate = Command(
        "rotate", "Makes a new signing key; the old one stays published for a while.",
        discussion: """
            New leases are signed with the new key at once, by a running server too. Clients learn it from the tenant's \
            keyset; the old key stays in it until everything it signed has ended.
            """,
        example: "tenure key rotate --tenant acme",
        arguments: [tenant, overlap, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let rotate = RotateLeaseKey(
            catalog: try await installation.catalog(), master: installation.master, clock: installation.clock)
        let keys = try await rotate(arguments[tenant], overlapDays: arguments[overlap])
        await installation.store.close()
        guard let keys else {
            throw CommandError("There is no tenant \(arguments[tenant]). `tenure apply FILE` adds one.")
        }
        for key in keys where key.standing != .retired {
            if arguments[SharedOptions.json] {
                console.answer { $0.signingKey(key) }
            } else {
                let until = key.publishedUntil.map { ", published until \($0)" } ?? ""
                console.answer("\(key.kid)  \(key.standing.rawValue)\(until)")
            }
        }
        return .done
    }
}
