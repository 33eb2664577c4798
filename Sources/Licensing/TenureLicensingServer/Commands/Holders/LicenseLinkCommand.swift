import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license link`.
enum LicenseLinkCommand {
    private static let hours = Argument.option(
        "hours", "N", "How many hours the link is valid, used or not.", as: .int(in: 1...CredentialText.mostLinkHours),
        default: CredentialText.linkHours)
    private static let isListing = Argument.flag("list", "List the links and sessions that work now; make none.")
    private static let isEnding = Argument.flag("end", "End all links and sessions now; make none.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "link", "Creates a one-time link to the page of a license, lists links and sessions, or ends them.",
            discussion:
                "The page shows the license's status, why it doesn't work and what helps, and its devices. It helps a customer who lost a device and can't activate a new one because of the device limit; the policy's selfRelease decides whether a device can be released. Anyone who has the link can use it, so send it to nobody else. Only its digest is stored. A new key and a change of holder end all links and sessions; --end does it without either.",
            example: "tenure license link NOTE-PRO0-0000-0001 --hours 24 --base-url https://licenses.example.com",
            arguments: LicenseReference.certainArguments + [
                hours, isListing, isEnding, SharedOptions.baseURL, SharedOptions.json,
            ],
            output: Schema.output([
                ("url", .textOrNull), ("path", .text()), ("license", .text()), ("expiresAt", .dateTime),
                ("canRelease", .boolean),
            ])
            .or(Schema.output([("links", .list(of: LicenseCredential.document.schema))]))
            .or(EndedLinks.document.output())
        ) { arguments, console in
            if arguments[isListing], arguments[isEnding] { throw UsageError("give --list or --end, not both") }
            if arguments[isListing] { return try await list(installations, arguments, console) }
            if arguments[isEnding] { return try await end(installations, arguments, console) }
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let license = try await LicenseReference.find(arguments, in: installation, console: console)
            let end = installation.clock.now().adding(seconds: Int64(arguments[hours]) * 3600)
            let link = try await LicensingContext(catalog: catalog, clock: installation.clock).makeLicenseLink(
                to: license.id, expiresAt: end, by: .commandLine)
            await installation.store.close()
            guard let link else { throw CommandError("The license \(license.id) no longer exists.") }
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.member("url", arguments[SharedOptions.baseURL].map { $0 + link.path })
                    body.member("path", link.path)
                    body.member("license", license.id.description)
                    body.member("expiresAt", end.description)
                    body.member("canRelease", link.canRelease)
                }
                return .done
            }
            console.answer((arguments[SharedOptions.baseURL] ?? "") + link.path)
            console.note(
                "the link opens the page of \(license.key.masked) once, until \(end.local); it is shown only now")
            if arguments[SharedOptions.baseURL] == nil {
                console.note(
                    "put this server's public address before the path, or name it with --base-url or TENURE_BASE_URL")
            }
            if !link.canRelease {
                console.note(
                    "the policy \(license.policy) has no selfRelease, so the page shows the devices but can't release any"
                )
            }
            return .done
        }
    }

    private static func list(
        _ installations: Installations, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let license = try await LicenseReference.find(
            arguments, in: installation, console: console, for: .showing)
        let links = try await installation.licensing().workingLicenseLinks(of: license.id)
        await installation.store.close()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.array("links") { list in
                    for link in links { list.object { LicenseCredential.document.write(link, into: &$0) } }
                }
            }
            return .done
        }
        console.answer(TextTable(LicenseCredential.columns, of: links))
        if links.isEmpty { console.note("no link and no session of \(license.key.masked) works now") }
        return .done
    }

    private static func end(
        _ installations: Installations, _ arguments: Parsed, _ console: Console
    ) async throws -> ExitCode {
        let installation = try await installations.open(arguments, console: console)
        let license = try await LicenseReference.find(arguments, in: installation, console: console)
        let ended = try await installation.licensing().endLicenseLinks(of: license.id, by: .commandLine)
        await installation.store.close()
        guard let ended else { throw CommandError("The license \(license.id) no longer exists.") }
        console.answer(
            "ended \(ended.links.of("link")) and \(ended.sessions.of("session")) of \(license.id)",
            asJSON: arguments[SharedOptions.json]
        ) { EndedLinks.document.write(ended, into: &$0) }
        return .done
    }
}

extension LicenseCredential {
    fileprivate static let columns: [LabeledText<LicenseCredential>] = [
        LabeledText("reference") { $0.reference }, LabeledText("kind") { $0.kind.rawValue },
        LabeledText("made") { $0.createdAt.local }, LabeledText("ends") { $0.expiresAt.local },
    ]
}
