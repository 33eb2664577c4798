import TenureCore

/// The values of a command's arguments, all read and checked before the command starts.
package struct Parsed: Sendable {
    private let values: [String: any Sendable]
    /// The variable or context that supplied a value, by label, for values that weren't typed.
    private let sources: [String: String]
    private let typed: Set<String>
    private let texts: [String: [String]]

    /// Reads the words after the command's name, and fills in values from the environment or a context.
    ///
    /// `--name VALUE` and `--name=VALUE` are equivalent; `--` ends the options; a single `-` is a positional.
    package init(
        _ words: ArraySlice<String>, for arguments: [any DeclaredArgument], in surroundings: Environment = .none
    ) throws(UsageError) {
        var texts = try Self.sort(words, among: arguments.map(\.declaration))
        typed = Set(texts.keys)
        sources = try surroundings.fill(&texts, for: arguments.map(\.declaration))
        var values: [String: any Sendable] = [:]
        for argument in arguments {
            let label = argument.declaration.label
            do throws(UsageError) {
                values[label] = try argument.value(from: texts[label] ?? [])
            } catch {
                guard let source = sources[label] else { throw error }
                throw UsageError("\(error.message) (from \(source))")
            }
        }
        self.values = values
        self.texts = texts
    }

    /// Returns the variable or context that supplied a value; `nil` if the value was typed or is the default.
    package func source<Value>(of argument: Argument<Value>) -> String? { sources[argument.declaration.label] }

    /// Whether an argument was typed, rather than filled in from a variable, a context or its default.
    package func isTyped<Value>(_ argument: Argument<Value>) -> Bool { typed.contains(argument.declaration.label) }

    /// Returns the texts that were typed or supplied for the argument with a label, such as `--holder`.
    package func texts(of label: String) -> [String] { texts[label] ?? [] }

    /// Returns the value of an argument, which the command must list.
    package subscript<Value>(_ argument: Argument<Value>) -> Value {
        guard let value = values[argument.declaration.label] as? Value else {
            preconditionFailure("\(argument.declaration.label) is not among the arguments of this command")
        }
        return value
    }
}

extension Parsed {
    /// Groups the words by the label of the argument that they belong to.
    private static func sort(
        _ words: ArraySlice<String>, among declarations: [Declaration]
    ) throws(UsageError) -> [String: [String]] {
        let options = declarations.filter { $0.form != .positional }
        var texts: [String: [String]] = [:]
        var bare: [String] = []
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                bare += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                bare.append(word)
                continue
            }
            let (label, attached) = word.splitAtEquals
            guard let option = options.first(where: { $0.label == label }) else {
                let hint = options.map(\.label).closest(to: label).map { "; did you mean \($0)?" } ?? ""
                throw UsageError("unknown option \(label.printable)" + hint)
            }
            let text = try value(of: option, attached: attached, rest: &rest)
            if !option.isRepeated, texts[label] != nil { throw UsageError("\(label) may be given only once") }
            texts[label, default: []].append(text)
        }
        try place(bare, among: declarations.filter { $0.form == .positional }, into: &texts)
        return texts
    }

    private static func value(
        of option: Declaration, attached: String?, rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if option.form == .flag {
            guard let attached else { return "" }
            guard !option.placeholder.isEmpty else { throw UsageError("\(option.label) takes no value") }
            guard !attached.isEmpty else { throw UsageError("\(option.usage): the value must not be empty") }
            return attached
        }
        if let attached { return attached }
        guard let next = rest.first else { throw UsageError("\(option.label) needs a value: \(option.usage)") }
        guard !next.hasPrefix("--") else {
            throw UsageError(
                "\(option.label) needs a value: \(option.usage) (if the value begins with dashes, write \(option.label)=\(next.printable))"
            )
        }
        rest = rest.dropFirst()
        return next
    }

    private static func place(
        _ bare: [String], among positionals: [Declaration], into texts: inout [String: [String]]
    ) throws(UsageError) {
        var rest = bare[...]
        for positional in positionals {
            if positional.isRepeated {
                texts[positional.label] = Array(rest)
                rest = []
            } else if let word = rest.popFirst() {
                texts[positional.label] = [word]
            }
        }
        if let extra = rest.first { throw UsageError("unexpected argument \(extra.named)") }
    }
}

extension String {
    /// Splits `--name=value` into the name and the value; without an equals sign, the value is `nil`.
    fileprivate var splitAtEquals: (String, String?) {
        cut(at: "=").map { (String($0.before), String($0.after)) } ?? (self, nil)
    }
}
