import TenureCommandLine
import TenureFiles
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureServerKit

/// The options of `tenure serve` and `tenure mail test` for sending letters.
enum MailOptions {
    private static let smtp: Argument<WebURL?> = .optional(
        "smtp", "URL", "The mail server for letters: smtp://HOST:587, or smtps://HOST:465.", as: .mailServer)
    private static let credentials: Argument<String?> = .optional(
        "smtp-credentials-file", "FILE", "A file with the mail server's user and password, a line each.", as: .text)
    private static let authorities: Argument<String?> = .optional(
        "smtp-ca", "FILE", "The only certificate authorities to trust for the mail server, in PEM.", as: .text)
    private static let name: Argument<String?> = .optional(
        "smtp-name", "NAME", "This server's name for EHLO; default: the host of --base-url.", as: .hostName)
    private static let folder: Argument<String?> = .optional(
        "mail-folder", "FOLDER", "Write each letter into this folder instead, for trying out.", as: .text)

    static let all: [any DeclaredArgument] = [smtp, credentials, authorities, name, folder]

    /// Whether the arguments select a folder for letters, instead of a mail server.
    static func useFolder(_ arguments: Parsed) -> Bool { arguments[folder] != nil }

    /// Creates the transport that the options select; `nil` if they select none.
    ///
    /// It reads the files that the options name, so call it before the process gives up the right to open them.
    ///
    /// - Parameter baseURL: The origin of `--base-url`.
    static func transport(_ arguments: Parsed, baseURL: String?) throws -> (any MailTransport)? {
        let url = arguments[smtp]
        let hasMore = [arguments[credentials], arguments[authorities], arguments[name]].contains { $0 != nil }
        guard url != nil || !hasMore else {
            throw CommandError(
                "--smtp-credentials-file, --smtp-ca and --smtp-name need a mail server. Add --smtp smtp://HOST:587.")
        }
        if let folder = arguments[folder] {
            guard url == nil else {
                throw CommandError("--smtp and --mail-folder contradict each other. Give only one of them.")
            }
            return try FolderTransport(folder)
        }
        guard let url else { return nil }
        let port = url.port ?? (url.scheme == "smtps" ? 465 : 587)
        let host = url.host.contains(":") ? "[\(url.host)]" : url.host
        var options = SMTPClient.Options(
            url: "\(url.scheme)://\(host):\(port)",
            name: arguments[name] ?? baseURL.flatMap { WebURL($0)?.host }
                ?? WebURL("https://\(ServerFacts.hostName)")?.host ?? "localhost",
            requiresTLS: !url.isThisMachine || arguments[authorities] != nil)
        options.credentials = try arguments[credentials].map { try readCredentials($0) }
        options.authorities = try arguments[authorities].map { try read($0, "--smtp-ca", limit: 1 << 20) }
        do throws(TransportError) {
            return SMTPTransport(try SMTPClient(options))
        } catch {
            throw CommandError(error.message)
        }
    }

    private static func readCredentials(_ path: String) throws(CommandError) -> (user: String, password: String) {
        let bytes = try read(path, "--smtp-credentials-file", limit: 4096)
        let lines = String(validating: bytes, as: UTF8.self)?.unicodeScalars.split {
            "\r\n".unicodeScalars.contains($0)
        }
        guard let lines, lines.count == 2 else {
            throw CommandError("The file \(path) must contain the mail server's user and password, a line each.")
        }
        return (String(lines[0]), String(lines[1]))
    }

    private static func read(_ path: String, _ option: String, limit: Int) throws(CommandError) -> [UInt8] {
        do throws(Errno) {
            return try CallersFile.bytes(of: path, limit: limit)
        } catch {
            throw CommandError("The file \(path) cannot be read: \(error). Pass the right file with \(option) FILE.")
        }
    }
}

extension ArgumentReading where Value == WebURL {
    /// The URL of a mail server: `smtp` or `smtps`, without a user or a path.
    fileprivate static var mailServer: ArgumentReading {
        ArgumentReading { text in
            guard let url = WebURL(text), ["smtp", "smtps"].contains(url.scheme), ["", "/"].contains(url.rest),
                !url.hasUser
            else {
                throw UsageError(
                    "enter smtp://HOST:587 or smtps://HOST:465, without user and password, which belong into "
                        + "--smtp-credentials-file")
            }
            return url
        }
    }
}

extension ArgumentReading where Value == String {
    fileprivate static var hostName: ArgumentReading {
        ArgumentReading { text in
            guard let url = WebURL("https://\(text)"), url.host == text.lowercased() else {
                throw UsageError("enter a host name such as licenses.example")
            }
            return text
        }
    }
}
