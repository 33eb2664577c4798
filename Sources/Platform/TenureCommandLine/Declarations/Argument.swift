/// One option or positional argument of a command, and the key that reads its value.
///
/// Declare it once as a constant, list it in the command, and read its value with it. The compiler then catches a
/// misspelt name or a wrong type:
///
/// ```swift
/// let count = Argument.option("count", "N", "How many to issue.", as: .int(in: 1...1000), default: 1)
/// let issue = Command("issue", "Issues licenses.", example: "tenure issue --count 3", arguments: [count]) {
///     arguments, console in
///     console.answer("issuing \(arguments[count])")
///     return .done
/// }
/// ```
package struct Argument<Value: Sendable>: DeclaredArgument {
    /// The argument's name, form and help, for the parser and the help page.
    package let declaration: Declaration

    private let read: @Sendable ([String]) throws(UsageError) -> Value

    init(_ declaration: Declaration, read: @escaping @Sendable ([String]) throws(UsageError) -> Value) {
        self.declaration = declaration
        self.read = read
    }

    /// Converts a text from another source, such as a file, as if it had been typed for the argument.
    package func read(_ text: String) throws(UsageError) -> Value { try read([text]) }

    /// Converts the texts that were given for the argument, in the order given.
    package func value(from texts: [String]) throws(UsageError) -> any Sendable { try read(texts) }
}

extension Argument {
    /// Declares the flag `--name`, which is true if it's given.
    package static func flag(_ name: String, _ help: String) -> Argument where Value == Bool {
        let declaration = Declaration(
            form: .flag, name: name, placeholder: "", help: help, notes: [], isRequired: false, isRepeated: false)
        return Argument(declaration) { texts in !texts.isEmpty }
    }

    /// Declares `--name PLACEHOLDER` with a default value.
    package static func option(
        _ name: String, _ placeholder: String, _ help: String, as reading: ArgumentReading<Value>, default value: Value
    ) -> Argument {
        let notes = [reading.allowed, "default: \(reading.text(of: value))"].compactMap(\.self)
        let declaration = Declaration(
            form: .option, name: name, placeholder: placeholder, help: help, notes: notes, isRequired: false,
            isRepeated: false)
        return Argument(declaration) { texts throws(UsageError) in
            guard let text = texts.first else { return value }
            return try reading.value(of: text, for: declaration.label)
        }
    }

    /// Declares `--name PLACEHOLDER`, which is `nil` if it's left out.
    package static func optional<Element>(
        _ name: String, _ placeholder: String, _ help: String, as reading: ArgumentReading<Element>
    ) -> Argument where Value == Element? {
        single(.option, name, placeholder, help, reading)
    }

    /// Declares `--name` or `--name=PLACEHOLDER`, which is `nil` if it's left out.
    ///
    /// - Parameter value: The value of `--name` alone.
    package static func optionalValue<Element>(
        _ name: String, _ placeholder: String, _ help: String, as reading: ArgumentReading<Element>,
        alone value: Element
    ) -> Argument where Value == Element? {
        let declaration = Declaration(
            form: .flag, name: name, placeholder: placeholder, help: help, notes: [reading.allowed].compactMap(\.self),
            isRequired: false, isRepeated: false)
        return Argument(declaration) { texts throws(UsageError) in
            guard let text = texts.first else { return nil }
            return text.isEmpty ? value : try reading.value(of: text, for: declaration.label)
        }
    }

    /// Declares `--name PLACEHOLDER`, which the command requires.
    package static func required(
        _ name: String, _ placeholder: String, _ help: String, as reading: ArgumentReading<Value>
    ) -> Argument {
        needed(.option, name, placeholder, help, reading)
    }

    /// Declares `--name PLACEHOLDER`, which may be repeated; its values keep their order.
    package static func repeated<Element>(
        _ name: String, _ placeholder: String, _ help: String, as reading: ArgumentReading<Element>
    ) -> Argument where Value == [Element] {
        many(.option, name, placeholder, help, reading, isRequired: false)
    }
}

extension Argument {
    /// Declares a required positional argument.
    ///
    /// A single `-` is a valid value, with which commands read standard input.
    package static func positional(
        _ placeholder: String, _ help: String, as reading: ArgumentReading<Value>
    ) -> Argument {
        needed(.positional, placeholder, placeholder, help, reading)
    }

    /// Declares an optional positional argument, which must follow the required ones.
    package static func optionalPositional<Element>(
        _ placeholder: String, _ help: String, as reading: ArgumentReading<Element>
    ) -> Argument where Value == Element? {
        single(.positional, placeholder, placeholder, help, reading)
    }

    /// Declares an argument that takes all remaining positional words; it must be the last positional.
    package static func positionals<Element>(
        _ placeholder: String, _ help: String, as reading: ArgumentReading<Element>, isRequired: Bool = false
    ) -> Argument where Value == [Element] {
        many(.positional, placeholder, placeholder, help, reading, isRequired: isRequired)
    }
}

extension Argument where Value == Bool {
    /// `--json`, for every command whose answer programs may read.
    package static var json: Argument { flag("json", "Print the result as JSON.") }

    /// `--wide`, for every command that prints a table.
    package static var wide: Argument {
        flag("wide", "Print tables in full, with a line for each row, even if the terminal is narrower.")
    }
}

extension Argument {
    private static func needed(
        _ form: Declaration.Form, _ name: String, _ placeholder: String, _ help: String,
        _ reading: ArgumentReading<Value>
    ) -> Argument {
        let declaration = Declaration(
            form: form, name: name, placeholder: placeholder, help: help, notes: [reading.allowed].compactMap(\.self),
            isRequired: true, isRepeated: false)
        return Argument(declaration) { texts throws(UsageError) in
            guard let text = texts.first else { throw .missing(declaration) }
            return try reading.value(of: text, for: declaration.label)
        }
    }

    private static func single<Element>(
        _ form: Declaration.Form, _ name: String, _ placeholder: String, _ help: String,
        _ reading: ArgumentReading<Element>
    ) -> Argument where Value == Element? {
        let declaration = Declaration(
            form: form, name: name, placeholder: placeholder, help: help, notes: [reading.allowed].compactMap(\.self),
            isRequired: false, isRepeated: false)
        return Argument(declaration) { texts throws(UsageError) in
            guard let text = texts.first else { return nil }
            return try reading.value(of: text, for: declaration.label)
        }
    }

    private static func many<Element>(
        _ form: Declaration.Form, _ name: String, _ placeholder: String, _ help: String,
        _ reading: ArgumentReading<Element>,
        isRequired: Bool
    ) -> Argument where Value == [Element] {
        let notes = [reading.allowed, form == .option ? "repeatable" : nil].compactMap(\.self)
        let declaration = Declaration(
            form: form, name: name, placeholder: placeholder, help: help, notes: notes, isRequired: isRequired,
            isRepeated: true)
        return Argument(declaration) { texts throws(UsageError) in
            if isRequired, texts.isEmpty { throw .missing(declaration) }
            var values: [Element] = []
            for text in texts { values.append(try reading.value(of: text, for: declaration.label)) }
            return values
        }
    }
}

extension UsageError {
    fileprivate static func missing(_ declaration: Declaration) -> UsageError {
        switch declaration.form {
        case .positional: UsageError("\(declaration.label) is missing")
        case .flag, .option: UsageError("\(declaration.label) \(declaration.placeholder) is missing")
        }
    }
}
