import TenureCore

/// The manual page of a program in the macros of `man(7)`, made from the declarations of its commands.
struct ManualPage {
    /// The number of commands with the same declaration of an option from which the page describes the option only
    /// once.
    private static let commonFrom = 10

    private let root: CommandGroup
    private let version: String
    private let topics: [Program.Topic]

    /// Collects the page's parts; each topic becomes a section of the page.
    init(of root: CommandGroup, version: String, topics: [Program.Topic]) {
        self.root = root
        self.version = version
        self.topics = topics
    }

    /// The source of the page, without a final line break. It contains no date, so that equal programs have equal
    /// pages.
    var text: String {
        let leaves = root.sections.leaves
        let common = Self.common(leaves.map(\.command))
        var lines = [
            #".TH "\#(Self.escaped(root.name.uppercased()))" 1 "" "\#(Self.escaped("\(root.name) \(version)"))" "User Commands""#,
            ".SH NAME", #"\#(Self.escaped(root.name)) \- \#(Self.escaped(Self.purpose(root.abstract)))"#,
            ".SH SYNOPSIS", #".B \#(Self.escaped(root.name))"#, Self.line("COMMAND [options]"),
            ".SH DESCRIPTION",
        ]
        lines += Self.paragraphs(root.discussion)
        lines.append(".SH COMMANDS")
        for (path, command) in leaves {
            lines += Self.section(of: command, called: ([root.name] + path).joined(separator: " "), common)
        }
        lines.append(".SH COMMON OPTIONS")
        lines += common.flatMap(Self.item)
        for topic in topics {
            let title = topic.name.split(atByte: "-").joined(separator: " ").uppercased()
            lines += [".SH \(title)"] + Self.verbatim(topic.text())
        }
        return lines.joined(separator: "\n")
    }
}

extension ManualPage {
    private static func common(_ commands: [Command]) -> [Declaration] {
        let options = commands.flatMap(\.arguments).map(\.declaration).filter { $0.form != .positional }
        return Dictionary(grouping: options, by: \.label).values
            .filter { $0.count >= commonFrom && Set($0).count == 1 }
            .compactMap(\.first).sorted { $0.label < $1.label }
    }

    private static func section(of command: Command, called name: String, _ common: [Declaration]) -> [String] {
        let declarations = command.arguments.map(\.declaration)
        let words = [name] + HelpPage.usage(of: declarations)
        let shared = declarations.filter(common.contains).map(\.label)
        var lines = [".SS \(escaped(name))"] + paragraphs(command.abstract + "\n\n" + command.discussion)
        lines += [".PP", "Usage:", ".B " + escaped(words.joined(separator: " "))]
        lines += declarations.filter { !common.contains($0) }.flatMap(item)
        if !shared.isEmpty { lines += [".PP", line("Common options: " + shared.joined(separator: ", "))] }
        return lines + [".PP", "Example:"] + verbatim(command.example)
    }

    private static func item(_ declaration: Declaration) -> [String] {
        [".TP", ".B \(escaped(declaration.usage))", line(declaration.explanation)]
    }

    private static func paragraphs(_ text: String) -> [String] {
        var (lines, rest) = ([String](), text[...])
        while let (paragraph, after) = rest.cut(at: "\n\n") {
            lines += [".PP", line(String(paragraph))]
            rest = after
        }
        return rest.isEmpty ? lines : lines + [".PP", line(String(rest))]
    }

    private static func verbatim(_ text: String) -> [String] {
        let lines = text.split(atByte: "\n", omittingEmptySubsequences: false).map { line(String($0)) }
        return [".PP", ".EX"] + lines + [".EE"]
    }

    /// The abstract as the page's name line shows it: in lower case at its start and without its period.
    private static func purpose(_ abstract: String) -> String {
        abstract.prefix(1).lowercased() + abstract.dropFirst().dropLast(abstract.hasSuffix(".") ? 1 : 0)
    }

    /// A line of text. At the start of a line, a period would begin a roff request.
    private static func line(_ text: String) -> String { (text.hasPrefix(".") ? #"\&"# : "") + escaped(text) }

    /// The text with every character escaped that roff would interpret or replace. Hyphens, apostrophes, accents,
    /// tildes and quotes stay ASCII, so that commands can be copied from the page.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += #"\e"#
            case "-": escaped += #"\-"#
            case "'": escaped += #"\(aq"#
            case "\"": escaped += #"\(dq"#
            case "`": escaped += #"\(ga"#
            case "^": escaped += #"\(ha"#
            case "~": escaped += #"\(ti"#
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
