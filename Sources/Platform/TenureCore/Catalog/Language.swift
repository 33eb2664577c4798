/// A language for pages and messages.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// Korean.
    case korean = "ko"
}
