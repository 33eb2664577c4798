/// A button that an app shows after a failure with a content item.
public struct RecoveryChoice: Sendable, Hashable {
    /// What the app does when the user taps the button.
    public let option: RecoveryOption
    /// Whether the action can solve the problem.
    ///
    /// Downloading again doesn't help if the file is intact: an ended license must be renewed instead.
    public let helps: Bool

    /// Creates a choice from its parts.
    public init(_ option: RecoveryOption, helps: Bool = true) {
        self.option = option
        self.helps = helps
    }

    /// The message for the user.
    ///
    /// If the choice doesn't help, the message says so.
    public func message(in language: ContentLanguage = .english) -> String {
        helps ? option.message(in: language) : language.texts.fileIsIntact
    }

    /// The label of the button, in the user's language.
    public func label(in language: ContentLanguage = .english) -> String { option.label(in: language) }
}

extension RecoveryOption {
    /// All buttons to show if this is the most helpful option, most helpful first.
    ///
    /// Retry, Re-download and Support are always included. Set the Clock or Sign In comes first if it helps.
    /// Re-download comes last if it doesn't help.
    public var choices: [RecoveryChoice] {
        let helpful = [self] + [.retry, .support].filter { $0 != self }
        return helpful.map { RecoveryChoice($0) }
            + (self == .redownload ? [] : [RecoveryChoice(.redownload, helps: false)])
    }
}

extension OfflineContent {
    /// The buttons to show for the item, most helpful first; empty if there is no problem.
    public var choices: [RecoveryChoice] { recovery?.choices ?? [] }
}

extension RenewalProgress {
    /// The buttons to show for the result, most helpful first; empty after a success.
    public var choices: [RecoveryChoice] { recovery?.choices ?? [] }
}

extension ContentRenewalError {
    /// The buttons to show for the error, most helpful first.
    public var choices: [RecoveryChoice] { recovery.choices }
}
