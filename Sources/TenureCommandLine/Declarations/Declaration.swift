/// What the parser and the help page know of one argument, whatever its type.
package struct Declaration: Sendable, Hashable {
    /// How the argument is given on the command line.
    package enum Form: Sendable, Hashable {
        /// `--name`, without a value.
        case flag
        /// `--name VALUE` or `--name=VALUE`.
        case option
        /// A bare word, told by its place.
        case positional
    }

    /// How it is given.
    package let form: Form

    /// Its name: without dashes for a flag or an option, the placeholder for a positional.
    package let name: String

    /// What stands for its value in the help: `DIR`, `N`; empty for a flag.
    package let placeholder: String

    /// One sentence for the help page.
    package let help: String

    /// The default and the allowed values, as the help page shows them.
    package let notes: [String]

    /// Whether the command refuses to run without it.
    package let isRequired: Bool

    /// Whether it may be given more than once.
    package let isRepeated: Bool

    /// How a message or a usage line names it: `--data`, `FILE`.
    package var label: String { form == .positional ? name : "--" + name }
}

/// An argument of any type, so that a command can list all of its own.
package protocol DeclaredArgument: Sendable {
    /// What the parser and the help page know of it.
    var declaration: Declaration { get }

    /// Reads its value from the texts given for it, in their order; none when it was left out.
    func value(from texts: [String]) throws(UsageError) -> any Sendable
}
