/// The schema of a command's output, which this module stores without reading it.
package protocol CommandOutput: Sendable {}

/// The type of a JSON value that a command prints, for commands that don't use the server's schemas.
package indirect enum OutputType: CommandOutput {
    package typealias Member = (name: String, type: OutputType)

    case text
    case integer
    case boolean
    /// A date and time in UTC, formatted as in RFC 3339.
    case moment
    case null(OutputType)
    case list(OutputType)
    /// An object whose members differ.
    case anyObject
    /// An object with these members and no others; those in `optional` may be absent.
    case object([Member], optional: [Member])
    /// Any of several types.
    case either([OutputType])

    package static let textOrNull = OutputType.null(.text)
    package static let integerOrNull = OutputType.null(.integer)
    package static let momentOrNull = OutputType.null(.moment)
    package static let texts = OutputType.list(.text)

    /// An object with these members and no others.
    package static func object(_ members: [Member]) -> OutputType { .object(members, optional: []) }

    /// An object with a list under this name, further members, and `next`: the id after which the next page starts, or
    /// null.
    package static func page(_ name: String, of element: OutputType, and others: [Member] = []) -> OutputType {
        .object(others + [(name, .list(element)), ("next", .textOrNull)])
    }
}
