/// Why a command ends with exit code 1: what went wrong, and what to do next.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
