import Glibc
import TenureCommandLine

/// The program.
@main
struct Tenure {
    static func main() async {
        let code = await program.run(Array(CommandLine.arguments.dropFirst()), console: .standard())
        exit(code.rawValue)
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
            JobCommands.group, ClockCommands.group, StatusCommand.command, DoctorCommand.command,
            DeviceCommands.group, PlayerCommands.group,
        ])
}

/// Which Tenure this is.
enum Version {
    /// The version as in the change log; `-dev` follows the last release until the next one.
    static let current = "0.1.0-dev"
}
