import TenureCommandLine
import TenureCore
import TenureServerKit

/// The command group `tenure license`.
enum LicenseCommands {
    static func group(_ installations: Installations) -> CommandGroup {
        CommandGroup(
            "license", "Issues, shows and changes licenses; `license explain` says why a customer's key doesn't work.",
            discussion:
                "LICENSE is a license key, a license id (lic_...), a masked key, the last four characters of a key, an e-mail address or its beginning, an order reference, or the decimal number by which devices identify an app license. A command that changes a license needs a whole key, an id, or a masked key of only one license; otherwise it asks at a terminal, and without a terminal it lists the matches. A full key is shown only once, when it is issued.",
            example: "tenure license issue --tenant acme --product notes --policy pro --holder ada@example.com",
            commands: [
                LicenseIssueCommand.command(installations), LicenseShowCommand.command(installations),
                LicenseListCommand.command(installations),
                LicenseRenewCommand.command(installations), LicenseChangeCommand.command(installations),
                LicenseRekeyCommand.command(installations), LicenseSendKeyCommand.command(installations),
                LicenseTransferCommand.command(installations),
                LicenseActCommands.suspend(installations), LicenseActCommands.reinstate(installations),
                LicenseActCommands.revoke(installations),
                LicenseActCommands.giveBack(installations), LicenseExplainCommand.command(installations),
                LicenseLinkCommand.command(installations),
            ])
    }
}
