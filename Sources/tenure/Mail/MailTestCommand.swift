import TenureCommandLine
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

enum MailTestCommand {
    private static let address = Argument.positional("ADDRESS", "Where to send the letter.", as: .text)
    private static let tenant = Argument.required(
        "tenant", "TENANT", "The tenant whose sender's address is used.", as: ArgumentReading<TenantID>.slug())
    private static let baseURL = SharedOptions.baseURL(
        "The server's address, whose host is the default of --smtp-name.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "test", "Sends a test letter at once, and prints the mail server's response.",
            discussion: """
                Sends through the mail server that the options name, not through a running server. Give it the same \
                options as `tenure serve`. Exits with 1 if the mail server didn't accept the letter.
                """,
            example: "tenure mail test me@example.com --tenant acme --smtp smtp://mail.example:587",
            arguments: [address, tenant, baseURL, SharedOptions.json] + MailOptions.all + SharedOptions.installation,
            output: Schema.output([("answer", .text())])
        ) { arguments, console in
            guard let transport = try MailOptions.transport(arguments, baseURL: arguments[baseURL]) else {
                throw UsageError("name the mail server with --smtp smtp://HOST:587, or a folder with --mail-folder")
            }
            let installation = try await installations.open(arguments, console: console)
            let catalog = try await installation.catalog().current.catalog
            await installation.store.close()
            let tenant = try catalog.named(arguments[tenant])
            guard let settings = tenant.mail else { throw CommandError(Catalog.mailNotSetUp(for: tenant.id)) }
            var random = SystemRandomNumberGenerator()
            let text = MailKind.Text(
                subject: "Test", body: "This letter was sent by `tenure mail test` for \(tenant.name).\n")
            let message: MailMessage
            do throws(MailMessage.Address.Fault) {
                message = try MailMessage(
                    text, to: arguments[address], from: tenant, by: settings,
                    id: "\(MailID.random(using: &random))@\(settings.senderDomain)", at: installation.clock.now(),
                    ascii: transport.ascii)
            } catch {
                throw CommandError("\(arguments[address]) can't be used: \(error.reason).")
            }
            switch await transport.send(message) {
            case .accepted(let response):
                console.answer("accepted: \(response)", asJSON: arguments[SharedOptions.json]) {
                    $0.member("answer", response)
                }
                return .done
            case .deferred(let response): throw CommandError("The letter wasn't sent, but may be later: \(response)")
            case .recipientRefused(let response): throw CommandError("The mail server refuses the address: \(response)")
            case .letterRefused(let response): throw CommandError("The mail server refuses the letter: \(response)")
            case .misconfigured(let response):
                throw CommandError(
                    "The mail server refuses to send: \(response). Check the user and password, the sender's address and "
                        + "the certificate.")
            }
        }
    }
}
