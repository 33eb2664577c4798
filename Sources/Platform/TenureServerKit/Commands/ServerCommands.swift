package import TenureCommandLine

/// The commands that belong to no feature, in the order of the help page.
package enum ServerCommands {
    package static func all(_ installations: Installations, version: String) -> [any CommandNode] {
        [
            TokenCommands.group(installations), BackupCommand.command(installations),
            RestoreCommand.command(installations), MigrateStoreCommand.command(installations),
            JobCommands.group(installations), ClockCommands.group(installations),
            EventsCommand.command(installations), StatusCommand.command(installations, version: version),
            DoctorCommand.command(installations), ContextCommands.group,
        ]
    }
}
