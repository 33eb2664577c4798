/// Why a command ends with exit code 1: what went wrong, and what to do next.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension CommandError {
    /// An error whose description begins with a code for logs, which people don't need.
    package protocol Explained: Error {
        /// What happened and what to do next, with the engine's message if there is one.
        var explanation: String { get }
    }
}
