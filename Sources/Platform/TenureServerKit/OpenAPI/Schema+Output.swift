package import TenureCommandLine
import TenureCore
import TenureFormats

extension Schema: CommandOutput {}

extension Schema {
    /// A member of a command's output.
    package typealias OutputMember = (name: String, schema: Schema)

    /// The schema of an object that a command prints, with these members and no others.
    ///
    /// - Parameter optional: The members that may be absent.
    package static func output(_ members: [OutputMember], optional: [OutputMember] = []) -> Schema {
        object(members + optional, required: members.map(\.name), isClosed: true)
    }

    /// The schema of a list that a command prints.
    ///
    /// The object has the elements and `next`: the id after which the next page starts, or `null` at the end.
    package static func page(_ name: String, of element: Schema) -> Schema {
        output([(name, .list(of: element)), ("next", .textOrNull)])
    }

    /// The schema of an object with an integer for each name, such as the number of licenses in each state.
    package static let counts = Schema([.init("type", "object"), .init("additionalProperties", Schema.integer().tree)])

    package static let textOrNull = Schema.text().orNull

    /// The schema of a date and time in UTC, formatted as in RFC 3339.
    package static let dateTime = Schema.text(format: "date-time")

    /// The schema of a date and time in UTC, formatted as in RFC 3339, or `null`.
    package static let momentOrNull = Schema.text(format: "date-time").orNull

    package static let texts = Schema.list(of: .text())
}

extension Schema {
    /// Converts the declared output of a command; `nil` for an unknown type of declaration.
    fileprivate init?(_ output: any CommandOutput) {
        switch output {
        case let schema as Schema: self = schema
        case let type as OutputType: self.init(type)
        default: return nil
        }
    }

    private init(_ type: OutputType) {
        switch type {
        case .text: self = .text()
        case .integer: self = .integer()
        case .boolean: self = .boolean
        case .moment: self = .dateTime
        case .null(let type): self = Schema(type).orNull
        case .anyObject: self = Schema([.init("type", "object")])
        case .list(let element): self = .list(of: Schema(element))
        case .object(let members, let optional):
            self = .output(Self.members(members), optional: Self.members(optional))
        case .either(let types):
            self = types.dropFirst().reduce(types.first.map { Schema($0) } ?? .object([], required: [])) {
                $0.or(Schema($1))
            }
        }
    }

    private static func members(_ members: [OutputType.Member]) -> [OutputMember] {
        members.map { ($0.name, Schema($0.type)) }
    }
}

extension Document {
    /// The schema of the document in a command's output, with further members.
    package func output(adding members: [Schema.OutputMember] = [], optional: [Schema.OutputMember] = []) -> Schema {
        let own = self.members.map { (name: $0.name, schema: $0.schema, isAlways: $0.isAlways) }
        return .output(
            own.filter(\.isAlways).map { ($0.name, $0.schema) } + members,
            optional: own.filter { !$0.isAlways }.map { ($0.name, $0.schema) } + optional)
    }
}

extension JSONObjectWriter {
    /// Writes the id after which the next page of a list starts; `nil` if there is no further page.
    package mutating func next(_ id: String?) { member("next", id) }
}

/// The JSON schema of all commands' output, generated from their declarations.
package enum OutputSchema {
    /// Returns the schema as JSON text.
    ///
    /// Each command's schema is among the definitions, under the command's full name, such as `license list`.
    package static func text(of sections: [CommandSection]) -> String {
        let outputs = sections.leaves.compactMap { path, command in
            command.output.flatMap(Schema.init(_:)).map { (name: path.joined(separator: " "), schema: $0) }
        }
        let refusal = Schema.output([
            ("error", .text()), ("code", .text()),
            ("reasons", .list(of: Reason.document.schema)),
        ])
        let all =
            outputs + [
                ("version", Schema.output([("version", .text())])),
                ("error", Schema.output([("error", .text()), ("code", .text()), ("command", .text())])),
                ("refusal", refusal),
            ]
        var components: [JSONTree.Member] = []
        for component in all.flatMap(\.schema.components)
        where !components.contains(where: { $0.name == component.name }) {
            components.append(.init(component.name, component.tree))
        }
        let tree = JSONTree.object([
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("title", "What the commands of tenure print with --json"),
            .init(
                "description",
                .text(
                    """
                    Each definition describes one line of the standard output of the command that it is named after. \
                    `refusal` describes the line that a refused command prints there instead; it exits with 1. `error` \
                    describes the line on the standard error of a command that failed.
                    """)),
            .init("anyOf", .list(all.map { ["$ref": .text("#/$defs/\($0.name.replacing(" ", with: "%20"))")] })),
            .init("$defs", .object(all.map { .init($0.name, $0.schema.tree) })),
            .init("components", .object([.init("schemas", .object(components))])),
        ])
        return String(decoding: tree.lines.dropLast(), as: UTF8.self)
    }
}
