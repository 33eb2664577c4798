/// A command or a group of commands: one word of what the user types.
package protocol CommandNode: Sendable {
    /// The word that calls it.
    var name: String { get }

    /// What it does, in one line with a full stop.
    var abstract: String { get }

    /// Finds what the words after its own name ask for.
    func resolve(path: [String], words: ArraySlice<String>) throws(Misuse) -> Resolution

    /// Its help page; the path is all the words that call it, the program's name first.
    func helpPage(path: [String]) -> HelpPage

    /// What is wrong with its declaration, and with those inside it; a test demands that there is nothing.
    var faults: [String] { get }
}

/// What the user asked for, before anything is done.
package enum Resolution: Sendable {
    /// Show a page.
    case help(HelpPage)
    /// Run a command; the path is all the words that called it.
    case run(Command, Parsed, path: [String])
}

/// Wrong usage, and of what.
package struct Misuse: Error, Sendable, Hashable {
    /// All the words that called the command or group, the program's name first.
    package let path: [String]
    /// What is wrong and what to write instead.
    package let message: String
}

extension ArraySlice<String> {
    /// Whether `--help` or `-h` stands among the words before `--`: then whatever else is wrong can wait.
    var asksForHelp: Bool {
        prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }
}
