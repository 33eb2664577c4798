import CBuild
import Glibc
import TenureCommandLine
import TenureCrypto
import TenureServer
import TenureThreads

/// The program.
@main
struct Tenure {
    /// The first thread waits here rather than for the language, which would end it for the library in a way that hides it
    /// from the C library: it would stay root when the process becomes the owner of a data folder.
    static func main() {
        CryptoLibrary.outliveExit()
        let code = Monitor<ExitCode?>(nil)
        Task.detached {
            let console = Console.standard()
            let reached = await program.run(
                Array(CommandLine.arguments.dropFirst()), in: .process(console: console), console: console)
            code.change { $0 = reached }
        }
        exit(code.wait { $0 }.rawValue)
    }

    /// Every command, declared once.
    static let program = Program(
        "tenure", version: Version.current, "Issues, renews and revokes licenses.",
        discussion:
            "One program: the server and everything an operator does to it. Commands work whether a server is running on the data folder or not.",
        example: "tenure apply catalog.json && tenure serve",
        commands: [
            InitCommand.command, ServeCommand.command, ApplyCommand.command, LicenseCommands.group,
            ActivationCommands.group, AccountCommands.group, SupportCommand.command,
            EnrolmentCommands.group, ContentCommands.group,
            KeyCommands.group, MarketplaceCommands.group, TokenCommands.group,
            BackupCommand.command, RestoreCommand.command, MigrateStoreCommand.command,
            JobCommands.group, ClockCommands.group, EventsCommand.command, StatusCommand.command, DoctorCommand.command,
            DeviceCommands.group, PlayerCommands.group, LintCommand.command, ConformanceCommand.command,
            ContextCommands.group,
        ], topics: [.environment, .exitCodes])
}

/// Which Tenure this is.
enum Version {
    /// The version of a release, as in the change log; any other build is on the way to it, and says from which commit
    /// it was made where its builder did.
    static let current =
        switch String(cString: tenure_build()) {
        case "release": LicenseServer.version
        case "": LicenseServer.version + "-dev"
        case let commit: "\(LicenseServer.version)-dev+\(commit)"
        }
}
