/// The reason why a command ends with exit code 1, and the remedy.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

extension CommandError {
    /// An error whose description begins with a code for logs, which people don't need.
    package protocol Explained: Error {
        /// The error message, which names the fault and the remedy, with the engine's message if there is one.
        var explanation: String { get }
    }
}
