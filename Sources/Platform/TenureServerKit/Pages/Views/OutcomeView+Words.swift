import TenureCore

extension OutcomeView {
    /// The title and a few sentences, in English if the page isn't translated.
    package func words(in language: PageLanguage) -> (title: String, text: [String]) {
        language == .korean ? korean ?? english : english
    }

    private var english: (title: String, text: [String]) {
        switch outcome {
        case .released:
            (
                "The device is released",
                ["Its place is free now. Open the app on the device that you want to use, and it gets a license."]
            )
        case .stopped:
            ("The device was not released", ["The vendor stopped its license. Support can tell why."])
        case .asked(let app, _):
            (
                "Your wish is noted",
                [
                    "Nothing stands in the way of a new license for \(app).",
                    "A license cannot be sent to a device from here: the device has to fetch it. Open the marketplace "
                        + "app on that device, wait a minute, then start \(app) again.",
                ]
            )
        case .askedInVain(let app, let headline, let cure):
            (
                "Your wish is noted, but something is in the way",
                ["\(app): \(headline)."] + (cure.map { [$0] } ?? [])
            )
        case .over:
            (
                "There is nothing to renew",
                ["This license is over. Install the app again from the marketplace app to get a new one."]
            )
        case .unknownLicense: ("No such license", ["This account has no license of that name."])
        case .noSession: ("Please sign in again", ["You were signed in for half an hour, and that is over."])
        case .linkSpent:
            (
                "This link does not work",
                ["It was used before, or it is too old. Ask support for a new one, or sign in with your password."]
            )
        case .formRefused:
            (
                "Please try again",
                ["The form did not come from this page, or you signed in anew meanwhile. Nothing was changed."]
            )
        case .tooMany(let seconds): ("Too many attempts", ["Try again in \(Self.minutes(seconds))."])
        case .busy: ("Just a moment", ["The server has a lot to do. Try again in a few seconds."])
        case .failed: ("Something went wrong", ["This is our fault, and nothing was changed. Try again in a minute."])
        case .placeFreed:
            (
                "The place is free",
                [
                    "Start the app on the device that you want to use, and activate your license there.",
                    "The device that you released is told so the next time it asks.",
                ]
            )
        case .placeKept(let sentences): ("The device was not released", sentences)
        case .licenseClosed:
            (
                "This page is closed",
                ["It stays open for half an hour, and nobody can see it afterwards. Ask support for a new link."]
            )
        case .licenseLinkSpent:
            ("This link does not work", ["It was used before, or it is too old. Ask support for a new one."])
        case .contentsReleased:
            (
                "The device is released",
                [
                    "All that lay on it was given back. It is told so the next time it asks.",
                    "Sign in on the device that you want to use, and download your contents there.",
                ]
            )
        case .signedOut: ("You are signed out", ["Nobody can see your devices here without signing in again."])
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
