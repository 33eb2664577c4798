import TenureContent
package import TenureCore

/// The most helpful action after a failure with a content item.
///
/// Apps show ``choices`` as buttons, with this one first.
public enum RecoveryOption: String, Sendable, Hashable, CaseIterable {
    /// Try the renewal or request again.
    ///
    /// The library also retries automatically once the network is back.
    case retry
    /// Download the media again, because they are missing or damaged.
    ///
    /// Never used for an ended license.
    case redownload
    /// Sign in again, because the holder's token has expired.
    case signIn
    /// Contact the vendor, because only the vendor can change the result.
    case support
    /// Correct the clock, or connect to the internet once.
    case setClock

    /// Chooses the most helpful option for reasons, most specific first; `retry` if no reason suggests another.
    ///
    /// A missing or damaged file takes precedence. Next comes a clock that was set back, because dates can't be checked
    /// until it is corrected.
    package init(for reasons: [Reason], isMediaWhole: Bool) {
        let stops: [Reason.Kind] = [
            .contentLicenseDeleted, .contentLicenseRevoked, .contentLicenseExpired, .contentLicenseReturned,
            .deviceReleased,
        ]
        if !isMediaWhole {
            self = .redownload
        } else if reasons.contains(where: { $0.code == .contentClockSetBack }),
            !reasons.contains(where: { stops.contains($0.code) })
        {
            self = .setClock
        } else {
            self = reasons.lazy.compactMap(Self.option).first ?? .retry
        }
    }

    private static func option(for reason: Reason) -> RecoveryOption? {
        switch (reason.code, reason.help) {
        case (.signInNeeded, _), (Reason.Kind(told: "token_invalid"), _), (Reason.Kind(told: "token_expired"), _):
            .signIn
        case (.contentUnreached, _), (.ledgerUnwritable, _), (Reason.Kind(told: "try_again"), _): .retry
        case (_, .connect), (_, .wait): .retry
        case (_, .setClock): .setClock
        case (_, .vendor), (_, .release): .support
        case (_, nil): nil
        }
    }
}

/// A language in which messages are available.
public enum ContentLanguage: String, Sendable, Hashable, CaseIterable {
    /// English.
    case english = "en"
    /// Korean.
    case korean = "ko"

    /// Chooses the first available language in a list of preferred BCP 47 tags; otherwise English.
    public init(preferring languages: [String]) {
        self =
            languages.lazy.compactMap { language in
                ContentLanguage(rawValue: String(language.prefix { $0 != "-" && $0 != "_" }).lowercased())
            }.first ?? .english
    }
}

extension RecoveryOption {
    /// The message for the user, which explains the problem and this option.
    public func message(in language: ContentLanguage = .english) -> String {
        switch (self, language) {
        case (.retry, .english):
            "License renewal failed. Please check your network connection or re-download the content."
        case (.retry, .korean): "라이선스 갱신에 실패했습니다. 네트워크 연결을 확인하거나 콘텐츠를 다시 다운로드해 주세요."
        case (.redownload, .english): "The downloaded file is missing or damaged. Please download the content again."
        case (.redownload, .korean): "다운로드한 파일이 없거나 손상되었습니다. 콘텐츠를 다시 다운로드해 주세요."
        case (.signIn, .english): "Your sign-in has ended. Please sign in again."
        case (.signIn, .korean): "로그인이 만료되었습니다. 다시 로그인해 주세요."
        case (.support, .english): "This content cannot be renewed on this device. Please contact customer support."
        case (.support, .korean): "이 기기에서 콘텐츠를 갱신할 수 없습니다. 고객센터에 문의해 주세요."
        case (.setClock, .english): "The clock of this device is wrong. Please set it, or connect to the internet once."
        case (.setClock, .korean): "기기의 시계가 맞지 않습니다. 시계를 맞추거나 인터넷에 한 번 연결해 주세요."
        }
    }

    /// The label of the button for this option.
    public func label(in language: ContentLanguage = .english) -> String {
        switch (self, language) {
        case (.retry, .english): "Retry"
        case (.retry, .korean): "다시 시도"
        case (.redownload, .english): "Re-download"
        case (.redownload, .korean): "다시 다운로드"
        case (.signIn, .english): "Sign In"
        case (.signIn, .korean): "로그인"
        case (.support, .english): "Customer Support"
        case (.support, .korean): "고객센터"
        case (.setClock, .english): "Set the Clock"
        case (.setClock, .korean): "시계 설정"
        }
    }
}
