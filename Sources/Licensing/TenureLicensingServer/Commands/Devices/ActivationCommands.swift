import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command group `tenure activation`.
enum ActivationCommands {
    private static let all = Argument.flag("all", "Include released devices.")
    private static let activation = Argument.positional(
        "ACTIVATION", "The activation's public id, or the id of its device.",
        as: ArgumentReading { text in
            guard let id = ActivationID(text: text) else { throw UsageError("enter the UUID of an activation") }
            return id
        })

    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "activation", "Lists, releases, restores and forgives the devices of licenses.",
            example: "tenure activation list NOTE-PRO0-0000-0001",
            commands: [
                list(installations),
                ActivationReleaseCommand.command(installations), restore(installations),
                ActivationForgiveCommand.command(installations),
            ])
    }

    private static func list(_ installations: Installations) -> Command {
        Command(
            "list", "Lists a license's devices, newest first.",
            example: "tenure activation list NOTE-PRO0-0000-0001 --all",
            arguments: LicenseReference.arguments + [all, SharedOptions.json, SharedOptions.wide],
            output: Schema.page("activations", of: SeenActivation.document.schema)
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let license = try await LicenseReference.find(
                arguments, in: installation, console: console, for: .showing)
            let devices = try await installation.store.devices(of: license.id, includingReleased: arguments[all])
                .shown(by: try await installation.secrets().names)
            let activations = Array(devices.all.reversed())
            console.answer(
                activations, "activations", SeenActivation.document, SeenActivation.columns,
                asJSON: arguments[SharedOptions.json])
            if activations.isEmpty, !arguments[SharedOptions.json] {
                let others = try await installation.store.devices(of: license.id, includingReleased: true)
                let released =
                    others.hasMoreReleased ? "more than \(others.released.count)" : "\(others.released.count)"
                console.note(
                    others.released.isEmpty
                        ? "no device has activated \(license.key.masked) yet"
                        : "no device is activated; with --all, the released ones are listed: \(released)")
            }
            devices.noteHidden(on: console)
            await installation.store.close()
            return .done
        }
    }
}

extension ActivationCommands {
    private static func restore(_ installations: Installations) -> Command {
        Command(
            "restore", "Undoes a release: the device is activated again.",
            discussion:
                "For a customer who released the wrong device. The release no longer counts toward the customer's limit. "
                + "Repeating the command changes nothing.",
            example: "tenure activation restore 3f2b7c1e-9a54-4d0e-8f11-0c9f5a2e7b10",
            arguments: [activation, SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("activation", .text()), ("changed", .boolean)])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let decision = try await installation.licensing().restoreActivation(
                named: arguments[activation], by: .commandLine)
            await installation.store.close()
            let id = arguments[activation]
            guard let decision else {
                throw CommandError(
                    "There is no activation \(id). Run `tenure activation list LICENSE --all` to list a license's devices."
                )
            }
            guard let changed = decision.outcome else {
                throw CommandError(
                    decision.refusal.map { "\($0.first.message.withLocalDates) \($0.first.cure.withLocalDates)" }
                        ?? "The request was refused.")
            }
            console.answer(
                changed ? "restored \(id)" : "\(id), or its device, is already activated",
                asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("activation", id.description)
                body.member("changed", changed)
            }
            return .done
        }
    }
}

extension DeviceList {
    /// Tells the person how many devices a list leaves out.
    func noteHidden(on console: Console) {
        if hidden > 0 {
            let total =
                activeCount > Policy.highestActivationLimit
                ? "more than \(Policy.highestActivationLimit)" : "\(activeCount)"
            console.note("\(total) devices are activated; the \(active.count) that were activated last are listed")
        }
        if hasMoreReleased { console.note("only the \(released.count) devices that were released last are listed") }
    }
}

extension SeenActivation {
    static let columns: [LabeledText<SeenActivation>] = [
        LabeledText("activation") { $0.activation.id.description },
        LabeledText("device") { $0.activation.name },
        LabeledText("system") { $0.activation.system?.text ?? "-" },
        LabeledText("activated") { $0.activation.activatedAt.local },
        LabeledText("last seen") { $0.lastSeenAt.local },
        LabeledText("released") { seen in
            guard let at = seen.activation.releasedAt else { return "-" }
            return switch seen.activation.releasedBy {
            case nil, .device: at.local
            case .holder: "\(at.local) by the holder"
            case .operator: "\(at.local) by the operator"
            }
        },
    ]
}
