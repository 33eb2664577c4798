package import TenureCommandLine

extension Console {
    /// Asks a person whether to go on; throws unless the answer is yes.
    ///
    /// Without a terminal it throws, too: a command that calls this has an option `--yes`.
    ///
    /// - Parameter nothing: The message of a command that doesn't continue, such as `Nothing was revoked.`
    package func confirm(_ question: String, orElse nothing: String) throws(CommandError) {
        guard canAsk else { throw CommandError("\(nothing) To do it without a terminal, add --yes.") }
        guard ["y", "yes"].contains(prompt("\(question) Type yes to continue: ")?.lowercased()) else {
            throw CommandError(nothing)
        }
    }
}
