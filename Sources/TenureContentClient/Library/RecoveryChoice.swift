/// One of the buttons that an app shows after something about a content failed.
public struct RecoveryChoice: Sendable, Hashable {
    /// What the button does.
    public let option: RecoveryOption
    /// Whether it helps. Downloading again does not while the file is in order: a license that ended is renewed instead.
    public let helps: Bool

    /// Names a choice.
    public init(_ option: RecoveryOption, helps: Bool = true) {
        self.option = option
        self.helps = helps
    }

    /// What a person is told about it; of a choice that does not help, that it does not.
    public func message(in language: ContentLanguage = .english) -> String {
        guard !helps else { return option.message(in: language) }
        return switch language {
        case .english: "The file isn't the problem, so downloading it again doesn't help."
        case .korean: "파일에는 문제가 없으므로 다시 다운로드해도 도움이 되지 않습니다."
        }
    }

    /// What the button says.
    public func label(in language: ContentLanguage = .english) -> String { option.label(in: language) }
}

extension RecoveryOption {
    /// All that a person may choose, what helps first: always Retry, Re-download and Support, after Set the Clock or Sign
    /// In where these help. Re-download stands last where it doesn't help.
    public var choices: [RecoveryChoice] {
        let helpful = [self] + [.retry, .support].filter { $0 != self }
        return helpful.map { RecoveryChoice($0) }
            + (self == .redownload ? [] : [RecoveryChoice(.redownload, helps: false)])
    }
}

extension OfflineContent {
    /// What a person may choose among, what helps first; empty when all is in order.
    public var choices: [RecoveryChoice] { recovery?.choices ?? [] }
}

extension RenewalProgress {
    /// What a person may choose among, what helps first; empty after a success.
    public var choices: [RecoveryChoice] { recovery?.choices ?? [] }
}

extension ContentRenewalError {
    /// What a person may choose among, what helps first.
    public var choices: [RecoveryChoice] { recovery.choices }
}
