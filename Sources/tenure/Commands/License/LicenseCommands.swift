import TenureCommandLine
import TenureCore

/// The command group `tenure license`.
enum LicenseCommands {
    static let group = CommandGroup(
        "license", "Issues, shows and changes licenses.",
        discussion:
            "LICENSE is a license key, a license id (lic_...), or the decimal number by which devices identify an app license. A full key is shown only once, when it is issued.",
        example: "tenure license issue --tenant acme --product notes --policy pro --holder ada@example.com",
        commands: [
            LicenseIssueCommand.command, LicenseShowCommand.command, LicenseListCommand.command,
            LicenseRenewCommand.command, LicenseChangeCommand.command, LicenseRekeyCommand.command,
            LicenseActCommands.suspend, LicenseActCommands.reinstate, LicenseActCommands.revoke,
            LicenseActCommands.giveBack, LicenseExplainCommand.command, LicenseLinkCommand.command,
        ])
}

extension Actor {
    /// The user of the command line.
    static let commandLine = Actor.operator("cli")
}
