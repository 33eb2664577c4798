import TenureCommandLine
import TenureContentServer
import TenureCore
import TenureFormats
import TenureStore

/// The command `tenure content link`.
enum ContentLinkCommand {
    private static let holder = Argument.positional("HOLDER", "Whose page it opens.", as: .text)
    private static let hours = Argument.option(
        "hours", "N", "When it stops working, used or not.", as: .int(in: 1...LearnerSessions.mostHours),
        default: LearnerSessions.hours)

    static let command = Command(
        "link", "Makes a link with which a holder sees courses, contents and devices, once.",
        discussion:
            "The page says why a content is locked, until when and what helps, and releases a device as far as the policies' selfRelease lets it. Whoever has the link is the holder there: send it to nobody else. Only its digest is stored.",
        example: "tenure content link ada --hours 24 --base-url https://licenses.example.com",
        arguments: [holder, hours, SharedOptions.baseURL, ContentReference.tenant, SharedOptions.json]
            + SharedOptions.installation
    ) { arguments, console in
        let installation = try await Installation.open(arguments, console: console)
        let tenant = try ContentReference.tenant(arguments, in: try await installation.catalog())
        let link = try await LearnerSessions(store: installation.store, clock: installation.clock).makeLink(
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
        console.note("it opens the page of \(arguments[holder]) once, until \(link.expiresAt); shown once")
        if arguments[SharedOptions.baseURL] == nil {
            console.note("put the address where people reach this server before it, or name that with --base-url")
        }
        return .done
    }
}
