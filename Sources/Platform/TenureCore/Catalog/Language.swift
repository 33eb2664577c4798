/// A language for pages and messages.
public enum Language: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"
    /// Korean.
    case korean = "ko"
    /// Japanese.
    case japanese = "ja"
}
