package import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureHTTP
import TenureHTTPClient

package enum ConformanceCommand {
    private static let url = Argument.positional(
        "URL", "The marketplace: https://DOMAIN, or http://HOST:PORT or unix:PATH for a test server.", as: .text)
    private static let mode: Argument<ConformanceMode?> = .optional(
        "mode", "MODE", "Which requests are sent; default: full for a server on this machine, read for others.",
        as: .choice())
    private static let owned: Argument<String?> = .optional(
        "i-run", "DOMAIN", "Repeat the domain to confirm that you run the server; full mode sends malformed requests.",
        as: .text)
    private static let contact: Argument<String?> = .optional(
        "contact", "TEXT", "How the server's operator can reach you; sent as part of User-Agent.", as: .text)
    private static let asksUpdates = Argument.flag(
        "ask-updates", "In read mode, also send one restore request and one update request.")
    private static let package: Argument<String?> = .optional(
        "package", "BASE_URL",
        "The address of the package's manifest.json; default: the address in a restore response.", as: .text)
    private static let item: Argument<AppleItemID?> = .optional(
        "item", "ITEM", "An app of the marketplace, by its Apple item id.", as: .appleItem)
    private static let version: Argument<AppleVersionID?> = .optional(
        "version", "VERSION", "The version of the app; default: the newest one offered.", as: .appleVersion)
    private static let account: Argument<String?> = .optional(
        "account", "ACCOUNT", "The account to sign in with.", as: .text)
    private static let passwordFile: Argument<String?> = .optional(
        "password-file", "FILE", "A file with the account's password, to fill in the sign-in page.", as: .text)
    private static let publicKey: Argument<String?> = .optional(
        "public-key", "FILE", "The distribution public key in PEM; install tokens must be signed with its private key.",
        as: .text)
    private static let html: Argument<String?> = .optional(
        "html", "FILE", "Also write the report as an HTML page.", as: .text)
    private static let all = Argument.flag("all", "List every check, including passed and skipped ones.")

    /// Creates the command `tenure conformance`.
    ///
    /// - Parameter build: The program's version, which requests name in `User-Agent`.
    package static func command(of build: String) -> Command {
        Command(
            "conformance", "Checks any marketplace's server against Apple's documents and the RFCs.",
            discussion: """
                Sends requests as a device does, and malformed ones, and compares the responses with what Apple and the \
                RFCs require. Each check has a stable name, listed in Documentation/conformance.md. In read mode it \
                sends only GET and HEAD, one request per second and at most 120. Exits with 1 if the server has errors, \
                and with 2 if it does not respond.
                """,
            example: """
                tenure conformance http://127.0.0.1:8080 --item 6483539426
                tenure conformance https://market.example --contact ops@shop.example --json
                tenure conformance https://market.example --mode full --i-run market.example --item 6483539426 --html report.html
                """,
            arguments: [
                url, DeviceOptions.domain, mode, owned, contact, asksUpdates, package, item, version, account,
                DeviceOptions.tokenFile, passwordFile, publicKey, html, all, Argument.json,
            ],
            output: DeviceOutputs.conformance
        ) { arguments, console in
            let options = try options(arguments)
            let page = try arguments[html].map { path throws(CommandError) in try NewFile(creating: path) }
            let run = ConformanceRun(
                send: try ConformanceTransport(options, build: build, contact: arguments[contact]).send,
                pause: { if !options.isHere { try? await Task.sleep(for: .seconds(1)) } })
            let progress = console.progress("asking", total: ConformanceQuestion.allCases.count)
            let seen = await run.sendQuestions(options, draw: ConformanceDraw(), at: SystemClock().now()) { _ in
                progress.advance()
            }
            progress.finish()
            guard seen.hasAnswer else {
                page?.remove()
                console.fail("\(options.address.text): \(seen.silence)".printable)
                return .usage
            }
            let report = ConformanceReport(seen)
            if let page {
                try page.write(ConformanceHTML.page(of: report), loss: "The report is incomplete.")
                try page.sync()
            }
            if arguments[Argument.json] {
                console.answer { $0.report(report) }
            } else {
                ConformanceTable.tell(report, whole: arguments[all], on: console)
            }
            return report.hasError ? .failed : .done
        }
    }

    private static func options(_ arguments: Parsed) throws -> ConformanceOptions {
        let text = arguments[url].hasSuffix("/") ? String(arguments[url].dropLast()) : arguments[url]
        guard let address = ServerAddress(text, domain: arguments[DeviceOptions.domain]) else {
            throw UsageError(
                "\(arguments[url].printable): enter https://DOMAIN, http://HOST:PORT or unix:PATH, without a path")
        }
        let here = ConformanceOptions(address, mode: .full).isHere
        var options = ConformanceOptions(address, mode: arguments[mode] ?? (here ? .full : .read))
        if options.mode == .full, !here, arguments[owned]?.lowercased() != address.domain {
            throw UsageError(
                "--mode full sends malformed requests, so use it only on a server that you run. To confirm, add --i-run \(address.domain.printable)"
            )
        }
        options.asksUpdates = arguments[asksUpdates]
        options.packageURL = arguments[package]
        options.item = arguments[item]
        options.version = arguments[version]
        options.account = arguments[account]
        options.token = try arguments[DeviceOptions.tokenFile].map(TokenFile.read)
        options.password = try arguments[passwordFile].map(password)
        options.publicKey = try arguments[publicKey].map(DistributionKeyFile.read)
        return options
    }

    private static func password(_ path: String) throws(CommandError) -> String {
        guard let bytes = try? CallersFile.bytes(of: path), let line = String(firstLineOf: bytes), !line.isEmpty else {
            throw CommandError("The file \(path) contains no password.")
        }
        return line
    }
}

/// Sends the checks' requests without following redirects, with a limit on the body and a timeout of 20 seconds.
struct ConformanceTransport {
    private static let timeout = Duration.seconds(20)
    /// The timeout for downloading an asset whose bytes are compared.
    private static let longPatience = Duration.seconds(120)
    private let streaming: any HTTPStreaming

    init(_ options: ConformanceOptions, build: String, contact: String?) throws {
        var transportOptions = TransportOptions()
        if options.isHere { transportOptions.proxy = .none }
        transportOptions.unixSocket = options.address.unixSocket
        transportOptions.timeout = Self.timeout
        transportOptions.userAgent = "tenure-conformance/\(build)" + (contact.map { " (\($0))" } ?? "")
        if let contact, contact.utf8.contains(where: { $0 < 0x20 || $0 > 0x7E }) {
            throw UsageError("--contact \(contact.printable): use ASCII characters only")
        }
        streaming = try HTTPTransports.streaming(transportOptions)
    }

    /// Sends a request and reads the body up to a limit; `isCut` says whether the body was longer.
    func send(
        _ request: OutgoingRequest, _ limit: Int
    ) async -> Result<(response: Response, isCut: Bool), TransportError> {
        let reader = Taken(limit)
        do throws(TransportError) {
            var answer = try await streaming.stream(
                request, limit: .max, timeout: limit > 8 << 20 ? Self.longPatience : Self.timeout,
                into: HTTPSink(begin: { _ in true }, take: { reader.take($0) }))
            let (body, isCut) = reader.whole
            answer.body = .bytes(body)
            return .success((answer, isCut))
        } catch {
            return .failure(error)
        }
    }
}
