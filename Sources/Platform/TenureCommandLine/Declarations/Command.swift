/// One command of the program, declared as a value.
///
/// An example is mandatory, because a help page without one leaves most users searching.
package struct Command: CommandNode {
    /// The code of a command, which receives the command's arguments.
    ///
    /// An error that the code throws is printed and ends the program with code 1, or 2 for a ``UsageError``.
    package typealias Body = @Sendable (Parsed, Console) async throws -> ExitCode

    /// The word that selects the command on the command line.
    package let name: String

    /// A one-line summary of the command that ends with a period.
    package let abstract: String

    /// Further paragraphs for the help page, separated by empty lines; may be empty.
    package let discussion: String

    /// Command lines that can be typed as they are; a line that begins with `#` explains the next one.
    package let example: String

    /// The command's options and positional arguments, in the order of the help page.
    package let arguments: [any DeclaredArgument]

    /// The schema of each line that the command prints with `--json`; `nil` if it has no such option.
    package let output: (any CommandOutput)?

    /// Whether the command ignores environment variables and contexts.
    let isAlone: Bool

    private let body: Body

    /// Declares a command.
    ///
    /// - Parameter isAlone: Whether the command ignores environment variables and contexts.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", example: String,
        arguments: [any DeclaredArgument] = [], output: (any CommandOutput)? = nil, isAlone: Bool = false,
        body: @escaping Body
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.example = example
        self.arguments = arguments
        self.output = output
        self.isAlone = isAlone
        self.body = body
    }

    /// Runs the command with arguments that have already been read.
    package func run(arguments: Parsed, console: Console) async throws -> ExitCode {
        let isWide = self.arguments.contains { $0.declaration.label == "--wide" } && arguments[.wide]
        return try await body(arguments, isWide ? console.wide() : console)
    }
}

extension Command {
    package func resolve(
        path: [String], words: ArraySlice<String>, in surroundings: Environment
    ) throws(Misuse) -> Invocation {
        let path = path + [name]
        if words.asksForHelp { return .help(helpPage(path: path)) }
        do throws(UsageError) {
            return .run(self, try Parsed(words, for: arguments, in: isAlone ? .none : surroundings), path: path)
        } catch {
            throw Misuse(path: path, message: error.message)
        }
    }

    package func helpPage(path: [String]) -> HelpPage { HelpPage(of: self, path: path) }

    package var faults: [String] {
        var faults: [String] = []
        let declarations = arguments.map(\.declaration)
        let names = declarations.map(\.label)
        for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
            faults.append("\(self.name): \(name) is declared twice")
        }
        if names.contains("--help") { faults.append("\(name): --help is reserved for the help page") }
        let positionals = declarations.filter { $0.form == .positional }
        for (one, next) in zip(positionals, positionals.dropFirst()) {
            if one.isRepeated { faults.append("\(name): nothing can follow the repeated \(one.label)") }
            if !one.isRequired, next.isRequired { faults.append("\(name): \(one.label) must come after \(next.label)") }
        }
        if !abstract.hasSuffix(".") { faults.append("\(name): the abstract doesn't end with a period") }
        if example.isEmpty { faults.append("\(name): has no example") }
        return faults
    }
}
