import TenureCore

/// A program for the command line: its name, its version and the tree of its commands.
package struct Program: Sendable {
    private let name: String
    private let version: String
    private let abstract: String
    private let discussion: String
    private let example: String
    private let sections: [CommandSection]
    private let topics: [Topic]

    /// A help page that isn't about a command.
    package struct Topic: Sendable {
        /// The word after `help` that selects the page.
        package let name: String
        let text: @Sendable () -> String
        /// Whether the page is a section of the program's manual page.
        let isInManual: Bool

        package init(
            _ name: String, inManual isInManual: Bool = true, _ text: @escaping @autoclosure @Sendable () -> String
        ) {
            self.name = name
            self.isInManual = isInManual
            self.text = text
        }
    }

    /// Declares a program with its commands in sections of the help page; empty sections are left out.
    ///
    /// `help`, `version` and `completion` are added in a section of their own.
    package init(
        _ name: String, version: String, _ abstract: String, discussion: String = "", example: String,
        sections: [CommandSection], topics: [Topic] = []
    ) {
        self.name = name
        self.version = version
        self.abstract = abstract
        self.discussion = discussion
        self.example = example
        self.sections = sections
        self.topics = topics
    }

    /// Mistakes in the declarations; a test requires an empty list.
    package var faults: [String] { root.faults }

    /// Runs the command that the words after the program's name select.
    ///
    /// It neither throws nor traps on bad input: every failure prints a message on the error output and returns a code.
    package func run(
        _ words: [String], in surroundings: Environment = .none, console: Console
    ) async -> ExitCode {
        let asJSON = words.prefix { $0 != "--" }.contains(Argument<Bool>.json.declaration.label)
        let code = await obey(words[...], surroundings, console, asJSON: asJSON)
        guard let problem = console.answerProblem else { return code }
        console.fail("\(name): could not write the output: \(problem)")
        return .failed
    }

    private func obey(
        _ words: ArraySlice<String>, _ surroundings: Environment, _ console: Console, asJSON: Bool
    ) async -> ExitCode {
        do throws(Misuse) {
            let words = words.first == "--version" ? ["version"] + words.dropFirst() : words
            switch try root.resolve(path: [], words: words, in: surroundings) {
            case .help(let page):
                console.answer(verbatim: page.text)
                return .done
            case .run(let command, let arguments, let path):
                return try await perform(command, arguments, path: path, console: console, asJSON: asJSON)
            }
        } catch {
            if asJSON {
                console.fail(error.message, of: error.path, code: "usage_wrong")
                return .usage
            }
            let call = error.path.joined(separator: " ")
            console.fail("\(call): \(error.message)")
            console.note("Run '\(call) --help' for help.")
            return .usage
        }
    }

    private func perform(
        _ command: Command, _ arguments: Parsed, path: [String], console: Console, asJSON: Bool
    ) async throws(Misuse) -> ExitCode {
        do {
            return try await command.run(arguments: arguments, console: console)
        } catch let misuse as Misuse {
            throw misuse
        } catch let error as UsageError {
            throw Misuse(path: path, message: error.message)
        } catch  where asJSON {
            console.fail(explanation(of: error), of: path, code: "command_failed")
            return .failed
        } catch {
            // A message may contain text from a file or a server, so only its own line ends are kept unescaped.
            let lines = explanation(of: error).split(atByte: "\n", omittingEmptySubsequences: false).map {
                String($0).printable
            }
            console.fail("\(path.joined(separator: " ")): \(lines.joined(separator: "\n"))")
            return .failed
        }
    }

    private func explanation(of error: any Error) -> String {
        (error as? any CommandError.Explained)?.explanation ?? "\(error)"
    }
}

extension Program {
    private var root: CommandGroup {
        CommandGroup(
            name, abstract, discussion: discussion, example: example,
            sections: sections + [CommandSection("About this program", [help, versionCommand, completion])])
    }

    private var versionCommand: Command {
        Command(
            "version", "Prints the version.", example: "\(name) version", arguments: [Argument.json]
        ) { [name, version] arguments, console in
            console.answer(arguments[.json] ? #"{"version":"\#(version)"}"# : "\(name) \(version)")
            return .done
        }
    }

    private var completion: Command {
        let shell = Argument.positional(
            "SHELL", "The shell to write the script for.", as: .choice(of: CompletionShell.self))
        return Command(
            "completion", "Prints a script for shell completion of commands and options.",
            example: """
                # for this session
                source <(\(name) completion bash)
                # for good
                \(name) completion fish > ~/.config/fish/completions/\(name).fish
                """,
            arguments: [shell]
        ) { [name] arguments, console in
            console.answer(verbatim: Completion(of: root, called: name).script(for: arguments[shell]))
            return .done
        }
    }

    /// The declared topics, and the program's manual page, which contains the topics marked as ``Topic/isInManual``.
    private var allTopics: [Topic] {
        topics + [
            Topic("man-page", ManualPage(of: root, version: version, topics: topics.filter(\.isInManual)).text)
        ]
    }

    private var help: Command {
        let topic = Argument.positionals("COMMAND", "The command to explain; without it, the whole program.", as: .text)
        return Command(
            "help", "Shows the help page of a command or topic.",
            discussion: "Further topics: " + allTopics.map(\.name).joined(separator: ", ") + ".",
            example: "\(name) help version", arguments: [topic]
        ) { arguments, console in
            if arguments[topic].count == 1, let found = allTopics.first(where: { $0.name == arguments[topic][0] }) {
                console.answer(verbatim: found.text())
                return .done
            }
            guard
                case .help(let page) = try root.resolve(
                    path: [], words: arguments[topic] + ["--help"], in: .none)
            else { return .failed }
            console.answer(verbatim: page.text)
            return .done
        }
    }
}

/// How a command ended, as the shell sees it.
package enum ExitCode: Int32, Sendable, Hashable {
    /// The command succeeded.
    case done = 0
    /// The command failed or was refused.
    case failed = 1
    /// The usage was wrong, and nothing was tried.
    case usage = 2
    /// The user interrupted the command; the changes that it had made until then remain.
    case interrupted = 130
}
