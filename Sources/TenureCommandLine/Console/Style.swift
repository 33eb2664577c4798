/// How a text stands out on a terminal.
package enum Style: Int, Sendable {
    /// Heavier letters.
    case bold = 1
    /// A failure or a refusal.
    case red = 31
    /// Success.
    case green = 32
    /// A warning.
    case yellow = 33

    func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}
