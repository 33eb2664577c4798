package import TenureCommandLine

extension Console {
    /// Asks the person at the terminal whether to continue, and throws unless the answer is `y` or `yes`.
    ///
    /// It also throws if there is no terminal. Therefore, every command that calls it has an option `--yes`.
    ///
    /// - Parameter nothing: The message if the command doesn't continue, such as `Nothing was revoked.`
    package func confirm(_ question: String, orElse nothing: String) throws(CommandError) {
        guard canAsk else { throw CommandError("\(nothing) To do it without a terminal, add --yes.") }
        guard ["y", "yes"].contains(prompt("\(question) Type yes to continue: ")?.lowercased()) else {
            throw CommandError(nothing)
        }
    }
}
