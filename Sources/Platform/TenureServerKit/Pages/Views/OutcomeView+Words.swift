import TenureCore

extension OutcomeView {
    /// The title and the sentences of the page, in English if there is no translation.
    package func words(in language: PageLanguage) -> (title: String, text: [String]) {
        language == .korean ? korean ?? english : english
    }

    private var english: (title: String, text: [String]) {
        switch outcome {
        case .released:
            (
                "The device has been released",
                ["You can use another device now. Open the app on it to get a license."]
            )
        case .stopped:
            ("The device wasn’t released", ["The vendor has stopped its license. Ask support for the reason."])
        case .asked(let app, _):
            (
                "Your request has been saved",
                [
                    "You can get a new license for \(app).",
                    "The device has to fetch the license itself. Open the marketplace "
                        + "app on that device, wait a minute, then start \(app) again.",
                ]
            )
        case .askedInVain(let app, let headline, let cure):
            (
                "Your request has been saved, but there is a problem",
                ["\(app): \(headline)."] + (cure.map { [$0] } ?? [])
            )
        case .over:
            (
                "There is nothing to renew",
                ["This license has ended. Install the app again from the marketplace app to get a new one."]
            )
        case .unknownLicense: ("License not found", ["This account doesn’t have this license."])
        case .noSession: ("Please sign in again", ["You were signed out after half an hour."])
        case .linkSpent:
            (
                "This link doesn’t work",
                ["It has been used already or has expired. Ask support for a new one, or sign in with your password."]
            )
        case .formRefused:
            (
                "Please try again",
                ["The form didn’t come from this page, or you have signed in again since. Nothing was changed."]
            )
        case .tooMany(let seconds): ("Too many attempts", ["Try again in \(Self.minutes(seconds))."])
        case .busy: ("Just a moment", ["The server is busy. Try again in a few seconds."])
        case .failed: ("Something went wrong", ["This is our fault. Nothing was changed. Try again in a minute."])
        case .placeFreed:
            (
                "The device has been released",
                [
                    "Start the app on the device that you want to use and activate your license there.",
                    "The released device learns this the next time it connects.",
                ]
            )
        case .placeKept(let sentences): ("The device wasn’t released", sentences)
        case .licenseClosed:
            (
                "This page is closed",
                ["It stays open for half an hour; after that, nobody can see it. Ask support for a new link."]
            )
        case .licenseLinkSpent:
            ("This link doesn’t work", ["It has been used already or has expired. Ask support for a new one."])
        case .contentsReleased:
            (
                "The device has been released",
                [
                    "All content on it has been returned. The device learns this the next time it connects.",
                    "Sign in on the device that you want to use and download your content there.",
                ]
            )
        case .signedOut: ("You are signed out", ["Nobody can see your devices here unless you sign in again."])
        }
    }

    private var korean: (title: String, text: [String])? {
        switch outcome {
        case .formRefused:
            ("다시 시도해 주세요", ["이 페이지에서 보낸 양식이 아니거나 그사이 새로 로그인하셨습니다. 변경된 것은 없습니다."])
        case .tooMany(let seconds): ("시도 횟수가 너무 많습니다", ["\(max(1, (seconds + 59) / 60))분 후에 다시 시도해 주세요."])
        case .busy: ("잠시만 기다려 주세요", ["서버에 요청이 많습니다. 몇 초 후에 다시 시도해 주세요."])
        case .failed: ("문제가 발생했습니다", ["저희 쪽 문제이며 변경된 것은 없습니다. 1분 후에 다시 시도해 주세요."])
        case .placeKept(let sentences): ("기기가 해제되지 않았습니다", sentences)
        case .licenseClosed:
            ("페이지가 닫혔습니다", ["페이지는 30분 동안 열려 있으며 그 후에는 아무도 볼 수 없습니다. 새 링크는 고객센터에 요청하세요."])
        case .licenseLinkSpent:
            ("사용할 수 없는 링크입니다", ["이미 사용했거나 기한이 지난 링크입니다. 새 링크는 고객센터에 요청하세요."])
        case .contentsReleased:
            (
                "기기가 해제되었습니다",
                ["기기에 있던 콘텐츠가 모두 반납되었으며, 기기는 다음에 서버에 연결할 때 이를 알게 됩니다.", "사용할 기기에서 로그인한 뒤 콘텐츠를 다운로드하세요."]
            )
        case .released, .stopped, .asked, .askedInVain, .over, .unknownLicense, .noSession, .linkSpent, .signedOut,
            .placeFreed:
            nil
        }
    }

    private static func minutes(_ seconds: Int64) -> String {
        let minutes = max(1, (seconds + 59) / 60)
        return minutes == 1 ? "a minute" : "\(minutes) minutes"
    }
}
