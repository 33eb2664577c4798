/// Values for options that weren't typed: from the environment first, then from the context in use.
package struct Environment: Sendable {
    /// No variables and no context, so every option that isn't typed has its default.
    package static let none = Environment(environment: [:], variables: [:])

    private let environment: [String: String]
    private let variables: [String: String]
    private let together: Set<String>
    private let context: @Sendable (String?) throws(UsageError) -> [String: String]

    /// Creates an environment from the process's variables and the user's contexts.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - variables: The environment variable of each option, by the option's name; that of `context` names the
    ///     context.
    ///   - together: Options that describe one thing, such as a store. If a source sets one of them, later sources
    ///     can't set the others. A typed folder, for example, is never overruled by a database in the environment.
    ///   - context: Returns the options of a context by name, or of the context in use for `nil`. It's called only for
    ///     commands that have `--context`, and throws ``UsageError`` if the context is missing or unreadable.
    package init(
        environment: [String: String], variables: [String: String], together: Set<String> = [],
        context: @escaping @Sendable (String?) throws(UsageError) -> [String: String] = { _ in [:] }
    ) {
        self.environment = environment
        self.variables = variables
        self.together = together
        self.context = context
    }

    /// Adds values for the options that weren't typed, and returns the source of each value by the option's label.
    ///
    /// The values of an option that may be repeated are separated by spaces.
    func fill(
        _ texts: inout [String: [String]], for declarations: [Declaration]
    ) throws(UsageError) -> [String: String] {
        var sources: [String: String] = [:]
        let options = declarations.filter { $0.form == .option }
        let set = variables.compactMapValues { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }
        add(set, to: &texts, options, &sources) { variables[$0] ?? $0 }
        if options.contains(where: { $0.name == "context" }) {
            let name = texts["--context"]?.first
            add(try context(name), to: &texts, options, &sources) { _ in
                name.map { "context \($0)" } ?? "the current context"
            }
        }
        return sources
    }

    private func add(
        _ values: [String: String], to texts: inout [String: [String]], _ options: [Declaration],
        _ sources: inout [String: String], from source: (String) -> String
    ) {
        let isNamed = together.contains { texts["--" + $0] != nil }
        for option in options where texts[option.label] == nil {
            guard let value = values[option.name], !(isNamed && together.contains(option.name)) else { continue }
            let values = value.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
            texts[option.label] = option.isRepeated ? values : [value]
            sources[option.label] = source(option.name)
        }
    }
}
