import TenureCore

/// A language in which messages are available.
public enum ContentLanguage: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// German.
    case german = "de"
    /// Korean.
    case korean = "ko"
    /// Japanese.
    case japanese = "ja"
    /// French.
    case french = "fr"
    /// Spanish.
    case spanish = "es"
    /// Chinese in simplified characters.
    case simplifiedChinese = "zh-Hans"

    /// Chooses the first available language in a list of preferred BCP 47 tags; otherwise English.
    public init(preferring languages: [String]) {
        self =
            Language.named(by: languages).lazy.compactMap { $0.flatMap { Self(rawValue: $0.rawValue) } }.first
            ?? .english
    }
}

/// The texts for the user after a failure with a content item, in one language.
struct RecoveryTexts: Sendable {
    /// An explanation of the problem and the option, and the label of the option's button.
    struct Option: Sendable {
        let message: String
        let label: String

        init(_ message: String, _ label: String) {
            self.message = message
            self.label = label
        }
    }

    let retry, redownload, signIn, support, setClock: Option
    /// The message for downloading again if that doesn't help, because the file is intact.
    let fileIsIntact: String
    /// The message for an item that is renewed only with the user's consent.
    let renewalUnconfirmed: String

    subscript(option: RecoveryOption) -> Option {
        switch option {
        case .retry: retry
        case .redownload: redownload
        case .signIn: signIn
        case .support: support
        case .setClock: setClock
        }
    }
}

extension ContentLanguage {
    var texts: RecoveryTexts {
        switch self {
        case .english: .english
        case .german: .german
        case .korean: .korean
        case .japanese: .japanese
        case .french: .french
        case .spanish: .spanish
        case .simplifiedChinese: .simplifiedChinese
        }
    }
}
