import TenureCommandLine
import TenureCore
import TenureFormats
import TenureLicensing

/// The options that several commands share, with the same meaning everywhere.
enum SharedOptions {
    static let data = Argument.option("data", "DIR", "The data folder.", as: .text, default: "./tenure-data")
    static let masterKey: Argument<String?> = .optional(
        "master-key-file", "FILE", "The master key file; default: DIR/master.key; required on PostgreSQL.", as: .text)
    static let store: Argument<String?> = .optional(
        "store", "STORE", "`sqlite` (in the data folder) or postgres://USER@HOST/NAME; default: sqlite.",
        as: .text)
    static let storeFile: Argument<String?> = .optional(
        "store-file", "FILE", "A file with the value of --store, whose URL may contain a password.", as: .text)
    static let packages: Argument<String?> = .optional(
        "packages", "DIR", "The folder with the packages of apps; default: `packages` in the data folder.",
        as: .text)
    static let clock: Argument<String?> = .optional(
        "clock", "FILE", "For testing: add the number of seconds in FILE to the system's time.", as: .text)
    static let context: Argument<String?> = .optional(
        "context", "NAME", "The context to take missing options from; default: the current one.", as: .text)
    static let json = Argument.json
    static let alreadyEnded = Argument.flag(
        "already-ended", "Accept an end in the past; the license is then expired.")
    static let baseURL = baseURL("The address at which people reach the server; without it, only the path is printed.")

    /// Declares `--base-url` with another help text.
    static func baseURL(_ help: String) -> Argument<String?> {
        .optional("base-url", "URL", help, as: webAddress)
    }

    private static var webAddress: ArgumentReading<String> {
        ArgumentReading { text throws(UsageError) in
            guard let url = WebURL(text), ["http", "https"].contains(url.scheme), !url.hasUser,
                !url.rest.contains(where: { "?#".contains($0) })
            else { throw UsageError("enter an address such as https://licenses.example.com") }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
    }
    static let tenant: Argument<TenantID?> = .optional("tenant", "TENANT", "Limit to this tenant.", as: .slug())
    static let product: Argument<ProductID?> = .optional("product", "PRODUCT", "Limit to this product.", as: .slug())

    /// The arguments that every command on an installation takes.
    static let installation: [any DeclaredArgument] = [data, store, storeFile, masterKey, clock, context]
}

extension Parsed {
    /// The folder of packages, from `--packages` or within the data folder.
    var packagesPath: String { self[SharedOptions.packages] ?? self[SharedOptions.data] + "/packages" }

    /// Whether an argument was typed or comes from a variable or a context.
    func isNamed<Value>(_ argument: Argument<Value>) -> Bool { isTyped(argument) || source(of: argument) != nil }
}

extension ArgumentReading {
    /// Reads the id of a tenant, product or policy.
    static func slug<Named>() -> ArgumentReading where Value == Slug<Named> {
        ArgumentReading { text throws(UsageError) in
            guard let slug = Slug<Named>(text) else { throw UsageError("enter 1 to 64 of a-z, 0-9, _ and -") }
            return slug
        }
    }
}

extension ArgumentReading where Value == TermEnd {
    /// Reads a date or `never`.
    static var end: ArgumentReading {
        ArgumentReading { text throws(UsageError) in
            if text == "never" { return .never }
            guard let moment = Timestamp(text: text) else {
                throw UsageError("enter a date such as 2027-01-31 or 2027-01-31T12:00:00Z, or never")
            }
            return .at(moment)
        }
    }
}

extension Console {
    /// Prints a JSON object on one line, with control characters escaped.
    func answer(json body: (inout JSONObjectWriter) -> Void) {
        answer(String(decoding: JSONWriter.object(body), as: UTF8.self).printableJSON)
    }

    /// Prints a line of text, or the same content as a JSON object.
    func answer(_ line: String, asJSON: Bool, _ body: (inout JSONObjectWriter) -> Void) {
        if asJSON { answer(json: body) } else { answer(line) }
    }
}

extension ArgumentReading where Value == String {
    /// Reads a license's holder, with the limits of the operator API.
    static var holder: ArgumentReading {
        ArgumentReading { text throws(UsageError) in
            let isShort = text.unicodeScalars.count <= 256
            guard isShort, text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw UsageError("enter at most 256 characters, without control characters")
            }
            return text
        }
    }
}

extension TermEnd {
    /// Throws ``CommandError`` for an end in the past unless the user confirms it, because a mistyped year ends a
    /// license.
    func check(isMeant: Bool, at now: Timestamp) throws(CommandError) {
        guard case .at(let end) = self, end <= now, !isMeant else { return }
        throw CommandError(
            "\(end) is in the past. Choose a later end, or add --already-ended to expire the license.")
    }
}
