import CBuild
import Glibc
import TenureCommandLine
import TenureCrypto
import TenureServerKit
import TenureThreads

@main
struct Tenure {
    /// Runs the command in a detached task while the main thread waits for its exit code.
    ///
    /// If the Swift runtime handled `main` itself, it would end the main thread in a way that the C library doesn't
    /// notice. That thread would then stay root when the process switches to the owner of a data folder.
    static func main() {
        CryptoLibrary.outliveExit()
        // libcurl converts internationalized domains to ASCII only in a locale whose encoding has their characters.
        setlocale(LC_CTYPE, "C.UTF-8")
        let code = Monitor<ExitCode?>(nil)
        Task.detached {
            let console = Console.standard()
            let installations = Installations(of: .tenure, engines: .tenure) { try WebOutbound() }
            let reached = await program(installations).run(
                Array(CommandLine.arguments.dropFirst()), in: .process(console: console), console: console)
            code.change { $0 = reached }
        }
        exit(code.wait { $0 }.rawValue)
    }

    /// All commands of the program: its own, and those of its features.
    static func program(_ installations: Installations) -> Program {
        let own =
            [FeatureCommand(ServeCommand.command(installations), in: .start)]
            + ServerCommands.all(installations, version: Version.current)
            + [FeatureCommand(MailTestCommand.command(installations), of: "mail", after: "bounced")]
        let features = installations.features.all.flatMap { $0.commands(installations) }
        let sections = (own + features).sections
        return Program(
            "tenure", version: Version.current, "Issues, renews and revokes licenses.",
            discussion:
                "One program contains the server and all commands of its operator. Commands work whether or not a server is running on the data folder.",
            example: "tenure apply catalog.json && tenure serve",
            sections: sections,
            topics: [
                .environment, .exitCodes,
                .init("json-schema", inManual: false, OutputSchema.text(of: sections)),
            ])
    }
}

enum Version {
    /// The version of a release as in the change log, or a development version.
    ///
    /// A development version names its commit if the build supplied it.
    static let current =
        switch String(cString: tenure_build()) {
        case "release": LicenseServer.version
        case "": LicenseServer.version + "-dev"
        case let commit: "\(LicenseServer.version)-dev+\(commit)"
        }
}
