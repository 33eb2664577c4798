/// What options say that nobody typed: the environment first, then the context that is in use.
package struct Surroundings: Sendable {
    /// Nothing: every option that is not typed has its default.
    package static let none = Surroundings(environment: [:], variables: [:])

    private let environment: [String: String]
    private let variables: [String: String]
    private let together: Set<String>
    private let context: @Sendable (String?) throws(UsageError) -> [String: String]

    /// Puts surroundings together.
    ///
    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - variables: The variable that stands in for an option, by the option's name; `context` names the context.
    ///   - together: Options that name one thing, such as a store: with one of them given, no other is looked up further
    ///     down, so that a typed folder is never overruled by a database in the environment.
    ///   - context: The options of a context, by name, of the one in use without one. Asked only by commands that have
    ///     `--context`. Throws ``UsageError`` for one that is not there or cannot be read.
    package init(
        environment: [String: String], variables: [String: String], together: Set<String> = [],
        context: @escaping @Sendable (String?) throws(UsageError) -> [String: String] = { _ in [:] }
    ) {
        self.environment = environment
        self.variables = variables
        self.together = together
        self.context = context
    }

    /// Adds to what was typed what stands around it; answers where each of that comes from, by label.
    func fill(
        _ texts: inout [String: [String]], for declarations: [Declaration]
    ) throws(UsageError) -> [String: String] {
        var sources: [String: String] = [:]
        let options = declarations.filter { $0.form == .option && !$0.isRepeated }
        let set = variables.compactMapValues { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }
        add(set, to: &texts, options, &sources) { variables[$0] ?? $0 }
        if options.contains(where: { $0.name == "context" }) {
            let name = texts["--context"]?.first
            add(try context(name), to: &texts, options, &sources) { _ in "context " + (name ?? "in use") }
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
            texts[option.label] = [value]
            sources[option.label] = source(option.name)
        }
    }
}
