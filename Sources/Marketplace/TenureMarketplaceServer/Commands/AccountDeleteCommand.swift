import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

enum AccountDeleteCommand {
    private static let isSure = Argument.flag("yes", "Don't ask before the account is deleted.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "delete", "Deletes an account for good, with its grants, licenses and credentials.",
            discussion: """
                Names the devices and apps that it ends, and asks. The grants end, the licenses are revoked, and \
                tokens, links, sessions and sign-ins end. The e-mail address and the password are removed. The id \
                stays taken, and events keep it. Repeating the command completes a deletion that was interrupted; \
                otherwise it changes nothing.
                """,
            example: "tenure account delete ada --tenant acme",
            arguments: [AccountReference.id, isSure, AccountReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: DeletedAccount.document.output()
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let context = try await installation.marketplace()
            let ref = try AccountReference.read(arguments, in: context.catalog)
            guard let before = try await context.deleteAccount(ref, by: .commandLine, isDry: true) else {
                throw AccountReference.unknown(ref)
            }
            if before.wasOpen || before.hasRevoked {
                for line in before.lines { console.note(line) }
                if before.wasOpen, !arguments[isSure] {
                    try console.confirm(
                        "The account \(ref) will be deleted for good, and its id can't be used again.",
                        orElse: "The account wasn't deleted.")
                }
            } else {
                console.note("nothing changed: this was already done")
            }
            guard let deleted = try await context.deleteAccount(ref, by: .commandLine) else {
                throw AccountReference.unknown(ref)
            }
            await installation.store.close()
            console.answer("deleted \(ref)", asJSON: arguments[SharedOptions.json]) {
                DeletedAccount.document.write(deleted, into: &$0)
            }
            return .done
        }
    }
}

extension DeletedAccount {
    /// The effects of the deletion, one per line, which the operator reads before confirming it.
    fileprivate var lines: [String] {
        let grantLines = grants.map {
            "app \($0.item), granted \($0.term.end.map { "until \($0.local)" } ?? "without an end")"
        }
        var licenseLines = licenses.map { license in
            "device \(license.device.shortText), app \(license.item), "
                + (license.term.end.map { "licensed until \($0.local)" } ?? "licensed without an end")
        }
        let others = licenseCount - licenses.count
        if others > 0 { licenseLines.append("\(others) more licenses") }
        let credentialLines =
            credentials == 0
            ? []
            : [
                credentials == 1
                    ? "1 token, link, session or sign-in" : "\(credentials) tokens, links, sessions and sign-ins"
            ]
        return (grantLines + licenseLines + credentialLines).map { "ends: \($0)" }
    }
}
