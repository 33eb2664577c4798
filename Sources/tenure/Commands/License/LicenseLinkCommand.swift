import TenureLicensing
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensingServer
import TenureServerKit
import TenureStore

/// The command `tenure license link`.
enum LicenseLinkCommand {
    private static let hours = Argument.option(
        "hours", "N", "When it stops working, used or not.", as: .int(in: 1...MakeLicenseLink.mostHours),
        default: MakeLicenseLink.hours)
    static let command = Command(
        "link", "Makes a link with which a license's holder frees the place of a lost device, once.",
        discussion:
            "For a holder whose old device is dead and whose new one gets no place. The page lists the license's devices; releasing one follows the policy's selfRelease. Whoever has the link is the holder there: send it to nobody else. Only its digest is stored.",
        example: "tenure license link NOTE-PRO0-0000-0001 --hours 24 --base-url https://licenses.example.com",
        arguments: LicenseReference.arguments + [hours, SharedOptions.baseURL, SharedOptions.json]
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let catalog = try await installation.catalog()
        let license = try await LicenseReference.find(arguments, in: installation.store, console: console)
        let end = installation.clock.now().adding(seconds: Int64(arguments[hours]) * 3600)
        let made = try await MakeLicenseLink(catalog: catalog, clock: installation.clock)(
            to: license.id, expiresAt: end, by: .commandLine)
        await installation.store.close()
        guard let made else { throw CommandError("The license \(license.id) is gone.") }
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.member("url", arguments[SharedOptions.baseURL].map { $0 + made.path })
                body.member("path", made.path)
                body.member("license", license.id.description)
                body.member("expiresAt", end.description)
                body.member("canRelease", made.canRelease)
            }
            return .done
        }
        console.answer((arguments[SharedOptions.baseURL] ?? "") + made.path)
        console.note("it opens the page of \(license.key.masked) once, until \(end); shown once")
        if arguments[SharedOptions.baseURL] == nil {
            console.note("put the address where people reach this server before it, or name that with --base-url")
        }
        if !made.canRelease {
            console.note(
                "the policy \(license.policy) has no selfRelease: the page shows the devices and releases none")
        }
        return .done
    }
}
