import FoundationEssentials
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureMarketplaceClient

enum DeviceSignInCommand {
    private static let account: Argument<String?> = .optional(
        "account", "ID", "The user's account, if the device has none yet.", as: .text)
    private static let password: Argument<String?> = .optional(
        "password-file", "FILE", "A file with the account's password.", as: .text)
    private static let link: Argument<String?> = .optional(
        "link-file", "FILE", "A file with a one-time link from `tenure account link`, instead of a password.", as: .text
    )

    static let command = Command(
        "sign-in", "Signs the user in on the marketplace's page, as the system's web view does.",
        discussion: """
            Asks the marketplace for its sign-in page, opens it, fills it in and submits it, and exchanges the \
            returned code for tokens. The tokens are kept in the device's folder, and refreshed when the \
            marketplace no longer accepts them. A token file given when the device was created is no longer used. \
            Apps of another account keep that account's tokens. Darkened icons are then requested again.
            """,
        example: "tenure device sign-in phone-2 --password-file ada.password",
        arguments: [DeviceOptions.folder, account, password, link, SharedOptions.json],
        output: OutputType.either([
            .object([("outcome", .text), ("account", .text)] + DeviceOutputs.restored), .object(DeviceOutputs.failed),
        ])
    ) { arguments, console in
        var open = try OpenDevice(arguments)
        var device = open.device
        if let text = arguments[account] {
            guard let account = AccountID(text) else { throw UsageError("--account: enter 1 to 128 bytes of text") }
            device.use(account)
        }
        guard let name = device.account else { throw UsageError("the device has no account yet: give --account ID") }
        device.use(name)
        let proof: SignInProof
        switch (arguments[password], arguments[link]) {
        case (let path?, nil): proof = .password(try secret(in: path))
        case (nil, let path?): proof = .link(try secret(in: path))
        default: throw UsageError("give either --password-file or --link-file")
        }
        let signedIn = open.folder.signedIn(name, on: device)
        let asking = try open.replaced(by: device)
        let tokens: AccountTokens
        do throws(DeviceError) {
            tokens = try await asking.session.signIn(proof, clientID: signedIn.clientID)
        } catch {
            return try console.end(error, asJSON: arguments[SharedOptions.json])
        }
        try await signedIn.folder.keep(tokens, of: name)
        open = try open.replaced(by: device)
        let now = open.now
        let bar = console.installBar()
        let outcomes = await open.session.restore(into: open.folder.files, at: now, meter: { bar.meter() })
        bar.line.clear()
        try open.save()
        if arguments[SharedOptions.json] {
            console.answer { body in
                body.member("outcome", "signedIn")
                body.member("account", name.text)
                body.restored(outcomes, at: now)
            }
        } else {
            console.answer(
                lines: ["signed in as \(name) at \(device.marketplaceTitle)"]
                    + outcomes.flatMap { $0.lines(marketplace: device.marketplaceTitle) })
        }
        return .done
    }

    private static func secret(in path: String) throws(CommandError) -> String {
        guard let bytes = try? CallersFile.bytes(of: path), let line = String(firstLineOf: bytes) else {
            throw CommandError("The file \(path) cannot be read or is not UTF-8.")
        }
        return line
    }
}
