import CFailing
import FoundationEssentials
import Glibc
import TenureCommandLine
import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPServer
import TenureServerKit
import TenureStore

enum ServeCommand {
    private static let listen = Argument.option(
        "listen", "ADDRESS", "HOST:PORT (port 0 picks a free one) or unix:PATH.", as: .listenAddress,
        default: HTTPServer.Address.tcp(host: "127.0.0.1", port: 8080))
    private static let threads = Argument.option(
        "threads", "N", "The number of event threads, each with its own listener.", as: .int(in: 1...64), default: 2)
    private static let inFlight = Argument.option(
        "requests-in-flight", "N", "The maximum number of concurrent requests; further ones get 503 with Retry-After.",
        as: .int(in: 1...1_000_000), default: 1024)

    private static let baseURL: Argument<String?> = .optional(
        "base-url", "URL",
        "The address at which devices reach this server, for the marketplace's configuration; default: https:// and its domain.",
        as: .origin)

    private static let socketGroup: Argument<UInt32?> = .optional(
        "socket-group", "GROUP",
        "The group, by name or number, that may connect to the unix socket; the server's user must be in it.",
        as: ArgumentReading<UInt32> { text in
            if let number = UInt32(text), number != .max { return number }
            guard let group = getgrnam(text) else { throw UsageError("there is no group \(text)") }
            return group.pointee.gr_gid
        })

    private static let proxies = Argument.repeated(
        "trusted-proxy", "ADDRESS|unix",
        "A proxy whose X-Forwarded-For is trusted: its address, or unix for all clients of the unix socket.",
        as: ArgumentReading<String> { text in
            guard TrustedProxies([text]) != nil else { throw UsageError("enter an IP address, or unix") }
            return text
        })

    private static let egress = Argument.repeated(
        "egress-allow", "HOST:PORT",
        "A host and port that the server may send requests to although it's private, has another port than 80 and 443, or "
            + "has no TLS.",
        as: ArgumentReading<OutboundLimits.Destination> { text in
            guard let destination = OutboundLimits.Destination(text) else {
                throw UsageError("enter a host and a port such as hooks.internal:8443")
            }
            return destination
        })

    private static let create = Argument.flag(
        "create", "Create a new installation if the data folder has no database; for trying out and for tests.")

    static func command(_ installations: Installations) -> Command {
        Command(
            "serve", "Runs the license server.",
            discussion: """
                Serves an installation that `tenure init` or `tenure apply` has created, and refuses to start where \
                there is no database, such as in a volume that isn't mounted. Prints one line when it accepts \
                connections, and logs to standard error, one JSON object per line. On SIGTERM or SIGINT, it finishes \
                the requests in progress, then exits with 0.

                Put nginx in front for TLS; nginx can connect over a unix socket. If other hosts can reach the address \
                and no --trusted-proxy is named, the command prints a warning.
                """,
            example: "tenure serve --data ./tenure-data --listen 127.0.0.1:8080",
            arguments: [create, listen, socketGroup, threads, inFlight, baseURL, proxies, egress]
                + installations.features.all.flatMap(\.options) + MailOptions.all + SharedOptions.installation
        ) { arguments, console in
            do {
                return try await serve(installations, arguments, console: console)
            } catch {
                // The program prints the error on standard error, which may go to a log file.
                console.alert("tenure serve: \(error)")
                throw error
            }
        }
    }

    private static func serve(
        _ installations: Installations, _ arguments: Parsed, console terminal: Console
    ) async throws -> ExitCode {
        tenure_keep_secrets_when_failing()
        Descriptors.raise()
        let address = arguments[listen]
        let isVirtual = arguments[SharedOptions.clock] != nil
        guard !isVirtual || address.isLocal else {
            throw CommandError(
                "--clock is for testing only, so it can't be used on \(address). Listen on a loopback address or a unix socket."
            )
        }
        guard address.isLocal || !MailOptions.useFolder(arguments) else {
            throw CommandError(
                "--mail-folder is for trying out, so it can't be used on \(address). Listen on a loopback address, or name "
                    + "a mail server with --smtp.")
        }
        if arguments[socketGroup] != nil, case .tcp = address {
            throw CommandError("--socket-group works only with a unix socket. Add --listen unix:PATH.")
        }
        let log = try StandardErrorLog(clock: Installation.clock(arguments))
        // From here on, only the log is written to standard error, so messages for people become log lines.
        let console = terminal.noting { text in log.write(LogLine(.warning, "notice", [("text", .text(text))])) }
        if !address.isLocal, arguments[proxies].isEmpty {
            let text = unprotected(address)
            if terminal.isWatched { terminal.warn(text) } else { terminal.alert(text) }
            console.warn(text)
        }
        let rewinds = try installations.rewindDetector(arguments, log: log)
        let installation: Installation
        let connection: StoreConnection?
        let snapshot: StartSnapshot?
        let mail: (any MailTransport)?
        do {
            (installation, connection) = try await installations.openForServing(
                arguments, creating: arguments[create], observer: rewinds?.observer, console: console)
            try installation.folder?.takeLock()
            snapshot = try StartSnapshot.stored(
                of: StoreLocation.named(by: arguments), by: installations.engines,
                in: arguments[SharedOptions.data],
                under: installation.master,
                from: installation.masterKeyFile, warn: console.warn)
            mail = try MailOptions.transport(arguments, baseURL: arguments[baseURL])
        } catch {
            log.close()
            throw error
        }
        if connection == nil { try await installation.prepareForServing(console) }
        // From here on, the server opens no more files that the user named on the command line.
        CallersFiles.close()
        if installation.folder != nil, installation.clock.doubt == nil {
            try await installation.context.reclaimJobs()
        }
        let gauges = HTTPServer.Gauges()
        let keepTime = installation.keepTime?(log)
        let server = try await LicenseServer(
            installations.features, store: installation.store, master: installation.master,
            clock: installation.clock,
            keepTime: keepTime, log: log,
            facts: ServerFacts(
                version: Version.current, hasVirtualClock: isVirtual, gauges: GaugeSource(gauges: gauges).text),
            stopwatch: Stopwatch.seconds, baseURL: arguments[baseURL], folder: arguments[SharedOptions.data],
            arguments: arguments,
            outbound: try WebOutbound(allowing: Set(arguments[egress])), mail: mail,
            behind: TrustedProxies(arguments[proxies]) ?? .none,
            pool: try CryptoPool(threads: ProcessInfo.processInfo.activeProcessorCount, limit: 256),
            changesAtOnce: arguments[inFlight] / 2, snapshot: snapshot, rewinds: rewinds,
            isAway: connection != nil)
        var configuration = HTTPServer.Configuration(listen: address)
        configuration.threads = arguments[threads]
        configuration.socketGroup = arguments[socketGroup]
        configuration.requestsInFlight = arguments[inFlight]
        configuration.changesInFlight = max(1, arguments[inFlight] / 2)
        configuration.connectionLimit = Descriptors.connections(
            atMost: configuration.connectionLimit, threads: configuration.threads)
        configuration.filesInFlight = max(1, configuration.connectionLimit / 2)
        let stopping = await Stopping()
        let http = try HTTPServer.start(
            configuration, handler: server.handler, gauges: gauges
        ) { rejection in
            server.answer(rejection, Rejections.response(status: rejection.status))
        }
        try server.supervisor.start()
        if isVirtual { console.warn("virtual clock: time is moved by \(arguments[SharedOptions.clock] ?? "")") }
        if connection == nil, server.catalog.current.catalog.tenants.isEmpty { console.warn(Catalog.withoutTenant) }
        console.answer("tenure: ready on \(http.address.url)")
        let beginning = StoreConnection.Beginning(
            installation: installation, snapshot: snapshot, keepTime: keepTime, catalog: server.catalog, log: log,
            console: console)
        let stop = stopping.request
        let connecting = Task { await connection?.run(beginning, stop: stop) }
        await stopping.wait()
        connecting.cancel()
        log.write(LogLine(.info, "stopping"))
        let drained = await http.stop(within: .seconds(30))
        await server.supervisor.stop(within: .seconds(30))
        await installation.store.close()
        log.write(LogLine(.info, "stopped", [("drained", .text(drained ? "yes" : "no"))]))
        log.close()
        if let failure = connection?.failure { throw failure }
        return .done
    }

    /// The warning for an address that other hosts can reach.
    private static func unprotected(_ address: HTTPServer.Address) -> String {
        """
        \(address) can be reached by other hosts, and the server doesn't encrypt connections. License keys and tokens \
        are readable on the way. Listen on 127.0.0.1 or a unix socket behind a proxy with TLS, such as nginx; if the \
        proxy runs on another host, name it with --trusted-proxy.
        """
    }
}

extension ArgumentReading where Value == HTTPServer.Address {
    fileprivate static var listenAddress: ArgumentReading {
        ArgumentReading(show: { $0.description }) { text in
            guard let address = HTTPServer.Address(text) else {
                throw UsageError("enter HOST:PORT such as 127.0.0.1:8080, or unix:PATH")
            }
            return address
        }
    }
}

extension ArgumentReading where Value == String {
    /// A URL that consists of only a scheme and a host.
    fileprivate static var origin: ArgumentReading {
        ArgumentReading { text in
            guard let url = WebURL(text), ["http", "https"].contains(url.scheme), url.rest.isEmpty || url.rest == "/",
                !url.hasUser
            else { throw UsageError("enter scheme and host such as https://market.example") }
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
    }
}

extension HTTPServer.Address {
    /// Whether the address can be reached only from this host.
    var isLocal: Bool {
        switch self {
        case .tcp(let host, _): host == "localhost" || host == "::1" || host.hasPrefix("127.")
        case .unix: true
        }
    }

    /// The URL that a client uses.
    var url: String {
        switch self {
        case .tcp(let host, let port): "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
