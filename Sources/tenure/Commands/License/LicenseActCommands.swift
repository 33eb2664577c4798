import TenureCommandLine
import TenureCore

/// The acts that need nothing but a license.
enum LicenseActCommands {
    static let suspend = command(
        .suspend, .suspend, "suspend", "Stops a license, reversibly.",
        "Devices are told at their next refresh. Seats are kept. Repeating it changes nothing.")

    static let reinstate = command(
        .reinstate, .reinstate, "reinstate", "Ends a suspension.",
        "The license is again what its term makes of it. Repeating it changes nothing.")

    static let revoke = command(
        .revoke, .revoke, "revoke", "Stops a license, finally.",
        "Devices are told at their next refresh. It cannot be undone. Repeating it changes nothing.")

    static let giveBack = command(
        .giveBack, .giveBack, "return", "Takes a license back from its holder, finally.",
        "It cannot be undone. Repeating it changes nothing.")

    private static func command(
        _ act: OperatorAct, _ appAct: AppLicenseAct, _ name: String, _ abstract: String, _ discussion: String
    ) -> Command {
        Command(
            name, abstract, discussion: discussion + " " + ofApps,
            example: "tenure license \(name) NOTE-PRO0-0000-0001",
            arguments: LicenseReference.arguments + [SharedOptions.json]
        ) { arguments, console in
            try await LicenseAct.perform(act, orOnApp: appAct, arguments, console: console)
        }
    }

    private static let ofApps = "A device learns of its app's license when it next asks for renewal."
}
