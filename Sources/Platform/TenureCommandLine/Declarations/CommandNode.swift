/// A command or a group of commands, which one word on the command line selects.
package protocol CommandNode: Sendable {
    /// The word that selects the command or group.
    var name: String { get }

    /// A one-line summary that ends with a period.
    var abstract: String { get }

    /// Returns the help page or the command that the words after this node's name select.
    func resolve(path: [String], words: ArraySlice<String>, in surroundings: Environment) throws(Misuse) -> Invocation

    /// Returns the help page of the command or group; the path holds all the words that lead to it, the program's name
    /// first.
    func helpPage(path: [String]) -> HelpPage

    /// Mistakes in the declarations of the command or group and everything inside it; a test requires an empty list.
    var faults: [String] { get }
}

/// The help page or the command that a command line selects.
package enum Invocation: Sendable {
    /// Show a help page.
    case help(HelpPage)
    /// Run a command; the path holds all the words that led to it.
    case run(Command, Parsed, path: [String])
}

/// Wrong usage of a command or group.
package struct Misuse: Error, Sendable, Hashable {
    /// All the words that led to the command or group, the program's name first.
    package let path: [String]
    /// The error message: what is wrong and what to write instead.
    package let message: String
}

extension ArraySlice<String> {
    /// Whether `--help` or `-h` appears before `--`; mistakes in the other words are then ignored.
    var asksForHelp: Bool {
        prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }
}

/// Commands that share a first word, such as `license`.
package struct CommandGroup: CommandNode {
    /// The word that selects the group.
    package let name: String

    /// A one-line summary of the group that ends with a period.
    package let abstract: String

    /// Further paragraphs for the help page, separated by empty lines; may be empty.
    package let discussion: String

    /// Command lines that can be typed as they are.
    package let example: String

    /// The group's commands and subgroups under their headings, in the order of the help page.
    let sections: [CommandSection]

    /// The group's commands and subgroups, in the order of the help page.
    package var commands: [any CommandNode] { sections.flatMap(\.commands) }

    /// Declares a group; its help page lists the commands in this order.
    package init(
        _ name: String, _ abstract: String, discussion: String = "", example: String, commands: [any CommandNode]
    ) {
        self.init(
            name, abstract, discussion: discussion, example: example, sections: [CommandSection("Commands", commands)])
    }

    init(_ name: String, _ abstract: String, discussion: String, example: String, sections: [CommandSection]) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.example = example
        self.sections = sections
    }
}

/// Commands under one heading of a help page.
package struct CommandSection: Sendable {
    /// The heading, without a colon.
    let title: String

    let commands: [any CommandNode]

    package init(_ title: String, _ commands: [any CommandNode]) {
        self.title = title
        self.commands = commands
    }
}

extension [CommandSection] {
    /// All commands, each with the words that lead to it, without the program's name.
    package var leaves: [(path: [String], command: Command)] {
        flatMap(\.commands).flatMap { Self.leaves(of: $0, path: [$0.name]) }
    }

    private static func leaves(of node: any CommandNode, path: [String]) -> [(path: [String], command: Command)] {
        if let command = node as? Command { return [(path, command)] }
        return (node as? CommandGroup)?.commands.flatMap { leaves(of: $0, path: path + [$0.name]) } ?? []
    }
}

extension CommandGroup {
    package func resolve(
        path: [String], words: ArraySlice<String>, in surroundings: Environment
    ) throws(Misuse) -> Invocation {
        let path = path + [name]
        guard let word = words.first else {
            throw Misuse(path: path, message: "a command is missing; use one of: \(names.joined(separator: ", "))")
        }
        if let command = commands.first(where: { $0.name == word }) {
            return try command.resolve(path: path, words: words.dropFirst(), in: surroundings)
        }
        if word == "--help" || word == "-h" { return .help(helpPage(path: path)) }
        let kind = word.hasPrefix("-") ? "option" : "command"
        throw Misuse(path: path, message: "unknown \(kind) \(word.named)" + hint(for: word, path: path))
    }

    package func helpPage(path: [String]) -> HelpPage { HelpPage(of: self, path: path) }

    package var faults: [String] {
        var faults = commands.flatMap(\.faults).map { "\(name) \($0)" }
        for name in Set(names).sorted() where names.count(where: { $0 == name }) > 1 {
            faults.append("\(self.name): \(name) is declared twice")
        }
        if !abstract.hasSuffix(".") { faults.append("\(name): the abstract doesn't end with a period") }
        if example.isEmpty { faults.append("\(name): has no example") }
        return faults
    }

    private var names: [String] { commands.map(\.name) }

    /// Returns a hint that suggests a command for an unknown word. An exact match in a subgroup is likelier than a
    /// similar word in this group.
    private func hint(for word: String, path: [String]) -> String {
        if word.hasPrefix("-") {
            let option = word.prefix { $0 != "=" }
            let isKnown = sections.leaves.contains { leaf in
                leaf.command.arguments.contains { $0.declaration.label == option }
            }
            if isKnown {
                return "; options follow the command, such as `\(path.joined(separator: " ")) COMMAND \(option)`"
            }
            return ["--help"].closest(to: word).map { "; did you mean \($0)?" } ?? ""
        }
        let groups = commands.compactMap { $0 as? CommandGroup }
        if let group = groups.first(where: { $0.names.contains(word) }) {
            return "; did you mean '\((path + [group.name, word]).joined(separator: " "))'?"
        }
        return names.closest(to: word).map { "; did you mean \($0)?" } ?? ""
    }
}
