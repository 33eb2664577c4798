import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The command `tenure content link`.
enum ContentLinkCommand {
    private static let holder = Argument.positional("HOLDER", "The learner whose page the link opens.", as: .text)
    private static let hours = Argument.option(
        "hours", "N", "How many hours the link is valid, used or not.", as: .int(in: 1...CredentialText.mostLinkHours),
        default: CredentialText.linkHours)

    static func command(_ installations: Installations) -> Command {
        Command(
            "link", "Creates a one-time link to a learner's page of courses, contents and devices.",
            discussion:
                "The page shows why and until when a content is locked, and how to unlock it. It can also release devices if the policies' selfRelease allows that. Anyone who has the link is signed in as the learner, so send it to nobody else. Only its digest is stored.",
            example: "tenure content link ada --hours 24 --base-url https://licenses.example.com",
            arguments: [holder, hours, SharedOptions.baseURL, ContentReference.tenant, SharedOptions.json]
                + SharedOptions.installation,
            output: Schema.output([
                ("url", .textOrNull), ("path", .text()), ("holder", .text()), ("expiresAt", .dateTime),
            ])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog()
            let tenant = try ContentReference.tenant(arguments, in: catalog)
            let link = try await ContentContext(catalog: catalog, clock: installation.clock).makeLearnerLink(
                for: arguments[holder], of: tenant, hours: arguments[hours], by: .commandLine)
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.member("url", arguments[SharedOptions.baseURL].map { $0 + link.path })
                    body.member("path", link.path)
                    body.member("holder", arguments[holder])
                    body.member("expiresAt", link.expiresAt.description)
                }
                return .done
            }
            console.answer((arguments[SharedOptions.baseURL] ?? "") + link.path)
            console.note(
                "the link opens the page of \(arguments[holder]) once, until \(link.expiresAt.local); it is shown only now"
            )
            if arguments[SharedOptions.baseURL] == nil {
                console.note(
                    "put this server's public address before the path, or name it with --base-url or TENURE_BASE_URL")
            }
            return .done
        }
    }
}
