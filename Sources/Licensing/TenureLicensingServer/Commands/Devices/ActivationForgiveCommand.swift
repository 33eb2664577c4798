import TenureCommandLine
import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure activation forgive`.
enum ActivationForgiveCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "forgive", "Ends the count of a license's released devices.",
            discussion: """
                For a customer who changed devices often for a good reason and can't activate another one. Devices that \
                were released count for a while, so that a license isn't passed around; afterwards, only active devices \
                count. Repeating the command changes nothing.
                """,
            example: "tenure activation forgive NOTE-PRO0-0000-0001",
            arguments: LicenseReference.certainArguments + [SharedOptions.json],
            output: ForgivenDevices.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let license = try await LicenseReference.find(arguments, in: installation, console: console)
            let decision = try await installation.licensing().forgiveDevices(
                of: license.id, ofTenant: nil, by: .commandLine)
            await installation.store.close()
            guard let decision else { throw CommandError("There is no license \(license.id) any more.") }
            switch decision {
            case .refused(let refusal):
                console.answer(refusal: refusal, asJSON: arguments[SharedOptions.json])
                return .failed
            case .granted(let devices):
                let document = ForgivenDevices.document
                console.answer(
                    devices == 0
                        ? "no released device of \(license.id) counts"
                        : "\(devices.of("released device")) of \(license.id) no longer \(devices == 1 ? "counts" : "count")",
                    asJSON: arguments[SharedOptions.json]
                ) { body in document.write((license.id, devices), into: &body) }
                return .done
            }
        }
    }
}

extension ForgivenDevices {
    /// The output of the command and of the operator API: the license, and how many released devices no longer count
    /// against its limit.
    static let document = Document<(license: LicenseID, devices: Int)>(
        nil,
        [
            .text("license", "The license's id.") { $0.license.description },
            .integer("devices", "How many released devices counted until now.") { Int64($0.devices) },
            .boolean("changed", "Whether this request ended their count.") { $0.devices > 0 },
        ])
}
