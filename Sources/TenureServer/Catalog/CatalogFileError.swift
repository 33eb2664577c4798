/// Why a catalog file was refused: everything that is wrong with it, each with its place.
public struct CatalogFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One thing that is wrong.
    public struct Problem: Sendable, Hashable {
        /// Where it stands, as a JSON pointer; empty for the whole file.
        public let pointer: String
        /// What is wrong and what would be right.
        public let message: String
    }

    /// What is wrong, in the order it was found; never empty.
    public let problems: [Problem]

    /// One line per problem: the pointer, then the message.
    public var description: String {
        problems.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" }.joined(separator: "\n")
    }
}
