import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure activation release`.
enum ActivationReleaseCommand {
    private static let target = Argument.positional(
        "LICENSE",
        "The license of the device. Or an activation's public id, without a device. " + LicenseReference.certainty,
        as: .text)
    private static let device: Argument<String?> = .optionalPositional(
        "DEVICE", "The device's name, or its public id.", as: .text)
    private static let oldest = Argument.flag("oldest", "Release the device that was last seen longest ago.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "release", "Releases a device so that another one can be activated.",
            discussion: """
                The device learns of it at its next refresh. If several devices have the name, none is released, and \
                they are listed with their ids. Releasing an activation by its id again changes nothing. \
                \(StatedReasonOptions.discussion)
                """,
            example: """
                tenure activation release NOTE-PRO0-0000-0001 'My Mac'
                tenure activation release NOTE-PRO0-0000-0001 --oldest
                tenure activation release 3f2b7c1e-9a54-4d0e-8f11-0c9f5a2e7b10
                """,
            arguments: [target, device, oldest, SharedOptions.tenant, SharedOptions.product]
                + StatedReasonOptions.all + [SharedOptions.json] + SharedOptions.installation,
            output: Schema.output([("activation", .text()), ("released", .boolean), ("changed", .boolean)])
        ) { arguments, console in
            let reason = try StatedReasonOptions.reason(arguments)
            if arguments[device] != nil, arguments[oldest] { throw UsageError("give a DEVICE or --oldest, not both") }
            let isNamed = arguments[device] != nil || arguments[oldest]
            let named = isNamed ? nil : ActivationID(text: arguments[target])
            if !isNamed, named == nil {
                throw UsageError("give a DEVICE or --oldest after the license, or the UUID of an activation")
            }
            let installation = try await installations.open(arguments, console: console)
            let id: ActivationID
            var name: String?
            if let named {
                id = named
            } else {
                let activation = try await choose(arguments, in: installation, console)
                (id, name) = (activation.id, activation.name)
            }
            let released = try await installation.licensing().deactivate(
                named: id, because: reason, ofTenant: nil, by: .commandLine)
            await installation.store.close()
            guard let released else {
                throw CommandError(
                    "There is no activation \(id). Run `tenure activation list LICENSE` to list a license's devices.")
            }
            let label = name.map { "\($0), \(id)" } ?? "\(id)"
            console.answer(
                (released ? "released \(label)" : "\(label) was already released").printable,
                asJSON: arguments[SharedOptions.json]
            ) { body in
                body.member("activation", id.description)
                body.member("released", true)
                body.member("changed", released)
            }
            return .done
        }
    }

    /// Returns the active device that the arguments name, under its public id.
    private static func choose(
        _ arguments: Parsed, in installation: Installation, _ console: Console
    ) async throws -> Activation {
        let found = try await LicenseReference.findAny(arguments[target], arguments, in: installation, console: console)
        let license: License
        switch found {
        case .product(let product): license = product
        case .other(let other): throw CommandError(other.refusal)
        }
        let names = try await installation.secrets().names
        let devices = try await installation.store.allActiveDevices(of: license.id).map(names.shown)
        guard !devices.isEmpty else { throw CommandError("The license \(license.id) isn't active on any device.") }
        guard let name = arguments[device] else {
            return devices.min { one, other in
                (one.lastSeenAt, one.activation.activatedAt) < (other.lastSeenAt, other.activation.activatedAt)
            }?.activation ?? devices[0].activation
        }
        if let id = ActivationID(text: name), let device = devices.first(where: { $0.activation.id == id }) {
            return device.activation
        }
        let exact = devices.filter { $0.activation.name == name }
        let typed = DeviceNameText(name)
        let matches = exact.isEmpty ? devices.filter { DeviceNameText($0.activation.name) == typed } : exact
        if matches.count == 1 { return matches[0].activation }
        let (intro, listed) =
            matches.isEmpty
            ? ("The license is active on no device with that name. Its devices are:", devices)
            : ("Several devices have that name. Release one by its id:", matches)
        let lines = listed.prefix(Self.mostListed).map { device in
            let activation = device.activation
            let parts = [activation.name, activation.system?.text, "last seen \(device.lastSeenAt.local)"]
            return "  \(activation.id)  \(parts.compactMap(\.self).joined(separator: ", ").printable)"
        }
        let hidden = listed.count - lines.count
        let rest = hidden > 0 ? ["  and \(hidden) more"] : []
        throw CommandError(([intro] + lines + rest).joined(separator: "\n"))
    }

    /// How many devices an error lists.
    private static let mostListed = 100
}
