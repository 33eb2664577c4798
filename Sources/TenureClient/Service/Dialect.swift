/// A protocol that the client speaks.
public enum Dialect: String, Sendable, Hashable, Codable {
    /// Tenure's own: every answer is signed and bound to its request.
    case tenure
    /// Keylight's, version 3.
    case keylight
}
