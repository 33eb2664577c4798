/// Why a command ends with 1: a sentence or two, what went wrong and what to do next.
struct CommandError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
