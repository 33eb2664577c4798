import TenureCommandLine

/// `tenure account ...`
enum AccountCommands {
    static let group = CommandGroup(
        "account", "Keeps the people of a marketplace and what they may use.",
        discussion: """
            An account's id is the `account` of Apple's URLs. Accounts and grants can also stand in the catalog file; \
            passwords, tokens and links are made here.
            """,
        example: "tenure account add ada --email ada@example.com && tenure account grant ada --item 6483539426",
        commands: [
            AccountAddCommand.command, AccountShowCommand.command, AccountListCommand.command,
            AccountGrantCommands.grant, AccountGrantCommands.end, AccountCredentialCommands.token,
            AccountCredentialCommands.link,
        ])
}
