/// Converts the text of an argument to a value, and a value back to text for the help page.
package struct ArgumentReading<Value: Sendable>: Sendable {
    /// The allowed values as the help page shows them; `nil` if the placeholder already shows them.
    package let allowed: String?

    private let read: @Sendable (String) throws -> Value
    private let show: @Sendable (Value) -> String

    /// Creates a reading from a closure. A ``UsageError`` that the closure throws must contain a correction for the
    /// user.
    ///
    /// The message is printed after the name of the argument and the rejected text: `--for 7 years: ...`.
    package init(
        allowed: String? = nil, show: @escaping @Sendable (Value) -> String = { "\($0)" },
        read: @escaping @Sendable (String) throws -> Value
    ) {
        self.allowed = allowed
        self.show = show
        self.read = read
    }

    func text(of value: Value) -> String { show(value) }

    /// Returns a reading that converts each value it reads to another type, or refuses it with a ``UsageError``.
    package func map<Other>(_ convert: @escaping @Sendable (Value) throws -> Other) -> ArgumentReading<Other> {
        ArgumentReading<Other>(allowed: allowed) { [read] text in try convert(try read(text)) }
    }

    /// Returns a reading that also accepts a word, which it reads as `nil`.
    package func orNil(_ word: String) -> ArgumentReading<Value?> {
        ArgumentReading<Value?>(allowed: allowed.map { "\($0), or \(word)" }) { [read] text in
            if text == word { return nil }
            do {
                return try read(text)
            } catch {
                throw UsageError("\(error), or \(word)")
            }
        }
    }

    package func value(of text: String, for label: String) throws(UsageError) -> Value {
        do {
            return try read(text)
        } catch {
            throw UsageError("\(label) \(text.named): \(error)")
        }
    }
}

extension ArgumentReading where Value == String {
    /// Any text that isn't empty.
    package static var text: ArgumentReading {
        ArgumentReading { text in
            guard !text.isEmpty else { throw UsageError("the value must not be empty") }
            return text
        }
    }
}

extension ArgumentReading where Value == Int {
    /// A whole number within a range, in decimal digits.
    package static func int(in range: ClosedRange<Int>) -> ArgumentReading {
        let words = range.upperBound == .max ? "at least \(range.lowerBound)" : range.words
        return ArgumentReading(allowed: range == .min ... .max ? nil : words) { text in
            guard let number = Int(text), range.contains(number) else {
                throw UsageError("enter a whole number, \(words)")
            }
            return number
        }
    }
}

extension ArgumentReading where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of an enumeration's raw values.
    package static func choice(of type: Value.Type = Value.self) -> ArgumentReading {
        choice(among: Array(type.allCases))
    }

    /// One of the raw values of these cases of an enumeration.
    package static func choice(among values: [Value]) -> ArgumentReading {
        let names = values.map { $0.rawValue }
        return ArgumentReading(allowed: names.orList, show: { $0.rawValue }) { text in
            guard let value = values.first(where: { $0.rawValue == text }) else {
                throw UsageError.unknownChoice(text, among: names)
            }
            return value
        }
    }
}

extension ArgumentReading where Value == String {
    /// One of the given words.
    package static func choice(_ names: [String]) -> ArgumentReading {
        ArgumentReading(allowed: names.orList) { text in
            guard names.contains(text) else { throw UsageError.unknownChoice(text, among: names) }
            return text
        }
    }
}

extension UsageError {
    fileprivate static func unknownChoice(_ text: String, among names: [String]) -> UsageError {
        let hint = names.closest(to: text).map { "; did you mean \($0)?" } ?? ""
        return UsageError("use \(names.orList)\(hint)")
    }
}

extension ClosedRange<Int> {
    fileprivate var words: String { "\(lowerBound) to \(upperBound)" }
}

extension [String] {
    fileprivate var orList: String { list("or") }

    /// The words as a list that ends with "and".
    package var andList: String { list("and") }

    private func list(_ word: String) -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(word) " + last
    }
}

/// The name, form and help of an argument, whatever the type of its value.
package struct Declaration: Sendable, Hashable {
    /// How the argument is given on the command line.
    package enum Form: Sendable, Hashable {
        /// `--name`, without a value; with a placeholder, also `--name=VALUE`.
        case flag
        /// `--name VALUE` or `--name=VALUE`.
        case option
        /// A word without a name, identified by its position.
        case positional
    }

    package let form: Form

    /// The argument's name without dashes, or the placeholder of a positional.
    package let name: String

    /// The word that the help shows in place of a value, such as `DIR` or `N`; empty for a flag without a value.
    package let placeholder: String

    /// One sentence for the help page.
    package let help: String

    /// The default and the allowed values, as the help page shows them.
    package let notes: [String]

    /// Whether the command is refused without the argument.
    package let isRequired: Bool

    /// Whether the argument may be given more than once.
    package let isRepeated: Bool

    /// The argument as messages and usage lines show it: `--data`, `FILE`.
    package var label: String { form == .positional ? name : "--" + name }
}

/// An argument of any type, so that a command can list all of its arguments.
package protocol DeclaredArgument: Sendable {
    /// The argument's name, form and help, for the parser and the help page.
    var declaration: Declaration { get }

    /// Converts the texts that were given for the argument, in the order given; `texts` is empty if it was left out.
    func value(from texts: [String]) throws(UsageError) -> any Sendable
}
