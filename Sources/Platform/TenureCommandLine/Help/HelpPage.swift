import TenureCore

/// The help page of a command or a group.
package struct HelpPage: Sendable, Hashable {
    /// The page, without a final line break.
    package let text: String

    init(of command: Command, path: [String]) {
        let declarations = command.arguments.map(\.declaration)
        let positionals = declarations.filter { $0.form == .positional }
        let options = declarations.filter { $0.form != .positional }
        text = Self.join([
            Self.introduction(command.abstract, command.discussion),
            "Usage: " + (path + Self.usage(of: declarations)).joined(separator: " "),
            Self.section("Arguments", positionals.map { ($0.usage, $0.explanation) }),
            Self.section("Options", options.map { ($0.usage, $0.explanation) } + [Self.help]),
            Self.example(command.example),
        ])
    }

    init(of group: CommandGroup, path: [String]) {
        let call = path.joined(separator: " ")
        let column = group.commands.map(\.name.count).max() ?? 0
        text = Self.join(
            [Self.introduction(group.abstract, group.discussion), "Usage: \(call) COMMAND [options]"]
                + group.sections.map { section in
                    Self.section(section.title, section.commands.map { ($0.name, $0.abstract) }, column: column)
                } + [
                    Self.section("Options", [Self.help]), Self.example(group.example),
                    "Run '\(call) COMMAND --help' for help on one command.",
                ])
    }
}

extension HelpPage {
    private static let width = 80
    private static let help = ("-h, --help", "Show this page.")

    /// The words of a usage line after the command: the required options, `[options]` and the positional arguments.
    static func usage(of declarations: [Declaration]) -> [String] {
        declarations.filter { $0.form != .positional && $0.isRequired }.map(\.usage) + ["[options]"]
            + declarations.filter { $0.form == .positional }.map(\.usage)
    }

    private static func join(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func introduction(_ abstract: String, _ discussion: String) -> String {
        var (paragraphs, rest) = ([[String]](), discussion[...])
        while let (paragraph, after) = rest.cut(at: "\n\n") {
            paragraphs.append(wrapped(String(paragraph), to: width))
            rest = after
        }
        paragraphs.append(wrapped(String(rest), to: width))
        return join([abstract] + paragraphs.map { $0.joined(separator: "\n") })
    }

    /// Formats a section. Its explanations are aligned after `column`, or after the longest name if `column` is `nil`.
    private static func section(
        _ title: String, _ rows: [(name: String, explanation: String)], column: Int? = nil
    ) -> String {
        guard !rows.isEmpty else { return "" }
        let column = min(column ?? rows.map(\.name.count).max() ?? 0, 24)
        let indent = String(repeating: " ", count: column + 4)
        var lines = ["\(title):"]
        for row in rows {
            var texts = wrapped(row.explanation, to: width - indent.count)[...]
            if row.name.count <= column {
                lines.append("  " + row.name.padded(to: column) + "  " + (texts.popFirst() ?? ""))
            } else {
                lines.append("  " + row.name)
            }
            lines += texts.map { indent + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private static func example(_ example: String) -> String {
        let lines = example.split(atByte: "\n", omittingEmptySubsequences: false)
        return "Example:\n" + lines.map { $0.isEmpty ? "" : "  " + $0 }.joined(separator: "\n")
    }

    /// Breaks the text at spaces; a word that is longer than a line gets a line of its own.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map({ Substring($0) }) {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}

extension Declaration {
    /// The argument in a usage line: `--data DIR`, `--list[=N]`, `[FILE]`, `FILE...`.
    var usage: String {
        switch form {
        case .flag: placeholder.isEmpty ? label : "\(label)[=\(placeholder)]"
        case .option: "\(label) \(placeholder)"
        case .positional:
            (isRequired ? name : "[\(name)]") + (isRepeated ? "..." : "")
        }
    }

    /// The sentence of the help page, with the allowed values and the default.
    var explanation: String {
        notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}
