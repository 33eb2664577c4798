import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing
import TenureServerKit
import TenureStore

/// The command `tenure license send-key`.
enum LicenseSendKeyCommand {
    static func command(_ installations: Installations) -> Command {
        Command(
            "send-key", "Sends a license's key again by e-mail.",
            discussion: """
                The letter goes to the license's address for letters, or to a holder that is an address; at most \
                \(LicensingContext.mostKeyLettersInHour) an hour to one address. Only keys that were issued or replaced \
                with --mail can be sent: of others, the store has only a digest. The server sends the letter.
                """,
            example: "tenure license send-key NOTE-PRO0-0000-0001",
            arguments: LicenseReference.certainArguments + [SharedOptions.json],
            output: Schema.output([("license", .text()), ("mail", .text()), ("to", .text())])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let license = try await LicenseReference.find(arguments, in: installation, console: console)
            let licensing = try await installation.licensing()
            let once = try await licensing.sendKeyOnce(nil, for: license) { _ in nil }
            await installation.store.close()
            guard case .done(let outcome) = once else { throw CommandError("Nothing was sent.") }
            switch outcome {
            case .waiting(let mail, _):
                console.answer(
                    "a letter with the key \(license.key.masked) waits for \(mail.address.printable)",
                    asJSON: arguments[SharedOptions.json]
                ) { body in
                    body.member("license", license.id.description)
                    body.member("mail", mail.id.description)
                    body.member("to", mail.address)
                }
                return .done
            case .refused(let refusal):
                console.answer(
                    refusal: refusal, of: license.id.description, asJSON: arguments[SharedOptions.json])
                return .failed
            case .keyNotKept:
                throw CommandError(
                    "The key of \(license.id) can't be computed, so it can't be sent. Run `tenure license rekey "
                        + "\(license.id) --keep-devices --mail` to replace it.")
            case .notMailable:
                throw KeyLetter.notMailable(
                    license, from: licensing.catalog.current.catalog.tenants[license.product.tenant])
            case .tooMany(let seconds):
                throw CommandError(
                    "\(LicensingContext.mostKeyLettersInHour) letters went to that address within an hour. Try again in "
                        + "\(Int((seconds + 59) / 60).of("minute")).")
            }
        }
    }
}
