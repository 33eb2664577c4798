/// How a text is highlighted on a terminal.
package enum Emphasis: Int, Sendable {
    /// Bold text.
    case bold = 1
    /// A failure or a refusal.
    case red = 31
    /// Success.
    case green = 32
    /// A warning.
    case yellow = 33

    func applied(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}

extension Emphasis {
    /// Creates the colour of a state or level; `nil` for any other word, which stays uncoloured.
    ///
    /// - Parameter state: A word of any feature, such as `active`, `suspended` or `FAILURE`.
    init?(state: some StringProtocol) {
        switch state.lowercased() {
        case "active", "ok", "open", "ready", "granted", "valid", "pass", "playable": self = .green
        case "suspended", "paused", "warning", "grace", "held", "retiring", "retrying", "waiting": self = .yellow
        case "expired", "revoked", "failed", "failure", "refused", "ended", "withdrawn", "fail", "locked": self = .red
        default: return nil
        }
    }
}

extension String {
    /// The text in the colour of the state that its first word names.
    var inColourOfState: String {
        guard let colour = Emphasis(state: prefix { $0.isLetter }) else { return self }
        return colour.applied(to: self)
    }
}
