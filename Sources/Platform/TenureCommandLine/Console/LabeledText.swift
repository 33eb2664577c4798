/// A label, and a text derived from a value: one line of the value's page, or one column of a list of values.
package struct LabeledText<Value>: Sendable {
    package let label: String
    package let text: @Sendable (Value) -> String
    /// Whether the text is a state or level, which is coloured on a terminal.
    let isState: Bool

    package init(_ label: String, _ text: @escaping @Sendable (Value) -> String) {
        self.init(label, isState: false, text)
    }

    private init(_ label: String, isState: Bool, _ text: @escaping @Sendable (Value) -> String) {
        self.label = label
        self.text = text
        self.isState = isState
    }

    /// Declares a state or level, whose first word decides the colour on a terminal.
    package static func state(_ label: String, _ text: @escaping @Sendable (Value) -> String) -> LabeledText {
        LabeledText(label, isState: true, text)
    }
}

extension TextTable {
    /// Creates a table with a row for each value.
    package init<Value>(_ columns: [LabeledText<Value>], of values: [Value]) {
        self.init(columns.map { $0.isState ? .state($0.label) : .text($0.label) })
        for value in values { add(columns.map { $0.text(value) }) }
    }
}

extension Console {
    /// Prints a value's page: one line for each label, with its text, after an optional first line.
    ///
    /// All lines are written together, so a reader such as `head -1` that closes the pipe early doesn't end the
    /// command.
    package func answer<Value>(_ lines: [LabeledText<Value>], of value: Value, after first: String? = nil) {
        let isColoured = hasColours
        let texts = lines.map { line in
            let text = line.text(value).printable
            if line.isState && isColoured { return line.label.padded(to: 10) + text.inColourOfState }
            return fitted(line.label.padded(to: 10) + text)
        }
        write(lines: (first.map { [$0.printable] } ?? []) + texts)
    }
}
