import TenureCommandLine

/// `tenure marketplace ...`
enum MarketplaceCommands {
    static let group = CommandGroup(
        "marketplace", "Shows, imports and rotates the keys that app licenses are made with.",
        example: "tenure marketplace show --tenant acme",
        commands: [MarketplaceShowCommand.command, MarketplaceImportCommand.command, MarketplaceRotateCommand.command])
}
