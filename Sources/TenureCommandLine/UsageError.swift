/// Says how a command was called wrongly; the program prints it and exits 2.
///
/// A command may throw it too, for what only it can know: two options that exclude each other.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what to write instead, in one line.
    package let message: String

    /// Describes wrong usage.
    package init(_ message: String) { self.message = message }

    /// The message.
    package var description: String { message }
}
