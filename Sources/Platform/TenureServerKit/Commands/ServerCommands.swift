import TenureCommandLine

/// The commands that don't belong to a feature, in the order of the help page.
package enum ServerCommands {
    package static func all(_ installations: Installations, version: String) -> [FeatureCommand] {
        [
            FeatureCommand(ApplyCommand.command(installations), in: .start),
            FeatureCommand(StatusCommand.command(installations, version: version), in: .start),
            FeatureCommand(DoctorCommand.command(installations), in: .start),
            FeatureCommand(InitCommand.command(installations), in: .operate),
            FeatureCommand(MasterKeyCommands.group(installations), in: .operate),
            FeatureCommand(TokenCommands.group(installations), in: .operate),
            FeatureCommand(EventsCommand.command(installations), in: .operate),
            FeatureCommand(JobCommands.group(installations), in: .operate),
            FeatureCommand(ClockCommands.group(installations), in: .operate),
            FeatureCommand(BackupCommand.command(installations), in: .operate),
            FeatureCommand(RestoreCommand.command(installations), in: .operate),
            FeatureCommand(MigrateStoreCommand.command(installations), in: .operate),
            FeatureCommand(StoreCommands.group(installations), in: .operate),
            FeatureCommand(ContextCommands.group, in: .operate),
        ]
    }
}
