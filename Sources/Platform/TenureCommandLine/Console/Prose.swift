extension String {
    /// The text with each line that is wider than a terminal broken at spaces.
    ///
    /// A broken line continues under its own text: after its indentation, its bullet, or its label and the spaces
    /// after it. Text in backticks isn't broken, so that a command can be copied.
    func broken(to width: Int) -> String {
        if utf8.count <= width { return self }
        return unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).lineBroken(to: width) }.joined(separator: "\n")
    }

    private func lineBroken(to width: Int) -> String {
        guard displayWidth > width else { return self }
        let indent = String(repeating: " ", count: min(continuation, width / 2))
        var (lines, line) = ([String](), "")
        for part in parts {
            let isBroken =
                !line.isEmpty && !part.word.isEmpty
                && line.displayWidth + part.spaces.displayWidth + part.word.displayWidth > width
            if isBroken {
                lines.append(line)
                line = indent + part.word
            } else {
                line += part.spaces + part.word
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }

    /// The indentation, in characters, of the lines that continue this one.
    private var continuation: Int {
        let scalars = Array(unicodeScalars)
        let start = scalars.prefix { $0 == " " }.count
        if scalars[start...].starts(with: "- ".unicodeScalars) { return start + 2 }
        // A label and its text are at least two spaces apart.
        let gap = scalars.indices.dropFirst(start + 1).prefix(24).first { index in
            index > 1 && scalars[index] != " " && scalars[index - 1] == " " && scalars[index - 2] == " "
        }
        return gap ?? start
    }

    /// The words, each with the spaces before it. Text in backticks is a single word.
    private var parts: [(spaces: String, word: String)] {
        var parts: [(spaces: String, word: String)] = []
        var (spaces, word, isCode) = ("", "", false)
        for scalar in unicodeScalars {
            if scalar == "`" { isCode.toggle() }
            if scalar == " ", !isCode {
                if !word.isEmpty { parts.append((spaces, word)) }
                if !word.isEmpty { (spaces, word) = ("", "") }
                spaces += " "
            } else {
                word.unicodeScalars.append(scalar)
            }
        }
        return parts + [(spaces, word)]
    }
}
