import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServer
import TenureStore

/// `tenure activation ...`
enum ActivationCommands {
    private static let all = Argument.flag("all", "Show released ones too.")
    private static let activation = Argument.positional(
        "ACTIVATION", "The activation's id.",
        as: Reading { text throws(UsageError) in
            guard let id = ActivationID(text: text) else { throw UsageError("write the UUID of an activation") }
            return id
        })

    static let group = CommandGroup(
        "activation", "Lists and releases the devices of licenses.",
        example: "tenure activation list NOTE-PRO0-0000-0001", commands: [list, release])

    private static let list = Command(
        "list", "Lists a license's devices.", example: "tenure activation list NOTE-PRO0-0000-0001 --all",
        arguments: LicenseReference.arguments + [all, SharedOptions.json]
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let license = try await LicenseReference.find(arguments, in: installation.store, console: console)
        let activations = try await installation.store.activations(of: license.id, includingReleased: arguments[all])
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("activations") { list in
                    for activation in activations { list.object { $0.activation(activation) } }
                }
            }
        } else {
            console.answer(ActivationPage.table(activations))
        }
        await installation.store.close()
        return .done
    }

    private static let release = Command(
        "release", "Gives back a device's seat.",
        discussion: "The device is told at its next refresh. Repeating it changes nothing.",
        example: "tenure activation release 3f2b7c1e-9a54-4d0e-8f11-0c9f5a2e7b10",
        arguments: [activation, SharedOptions.json] + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let release = DeactivateLicense(catalog: try await installation.catalog(), clock: installation.clock)
        let released = try await release(arguments[activation], of: nil, by: .commandLine)
        await installation.store.close()
        guard let released else {
            throw CommandError(
                "There is no activation \(arguments[activation]). `tenure activation list LICENSE` shows a license's.")
        }
        let id = arguments[activation]
        console.answer(
            released ? "released \(id)" : "\(id) was released already", asJSON: arguments[SharedOptions.json]
        ) { body in
            body.member("activation", id.description)
            body.member("released", true)
            body.member("changed", released)
        }
        return .done
    }
}

/// Activations as a table for a person.
enum ActivationPage {
    static func table(_ activations: [Activation]) -> Table {
        var table = Table([
            .text("activation"), .text("device"), .text("activated"), .text("last seen"), .text("released"),
        ])
        for activation in activations {
            table.add([
                activation.id.description, activation.name, activation.activatedAt.description,
                activation.lastSeenAt.description, activation.releasedAt?.description ?? "-",
            ])
        }
        return table
    }
}
