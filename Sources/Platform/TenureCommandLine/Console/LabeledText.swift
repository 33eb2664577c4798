/// A label, and a text derived from a value: one line of the value's page, or one column of a list of values.
package struct LabeledText<Value>: Sendable {
    package let label: String
    package let text: @Sendable (Value) -> String

    package init(_ label: String, _ text: @escaping @Sendable (Value) -> String) {
        self.label = label
        self.text = text
    }
}

extension TextTable {
    /// Creates a table with a row for each value.
    package init<Value>(_ columns: [LabeledText<Value>], of values: [Value]) {
        self.init(columns.map { .text($0.label) })
        for value in values { add(columns.map { $0.text(value) }) }
    }
}

extension Console {
    /// Prints a value's page: one line for each label, with its text, after an optional first line.
    ///
    /// All lines are written together, so a reader such as `head -1` that closes the pipe early doesn't end the command.
    package func answer<Value>(_ lines: [LabeledText<Value>], of value: Value, after first: String? = nil) {
        answer(lines: (first.map { [$0] } ?? []) + lines.map { $0.label.padded(to: 10) + $0.text(value) })
    }
}
