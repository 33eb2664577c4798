extension OutcomeView {
    /// A title and a few sentences.
    package var words: (title: String, text: [String]) {
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
        case .signedOut: ("You are signed out", ["Nobody can see your devices here without signing in again."])
        }
    }

    private static func minutes(_ seconds: Int64) -> String {
        let minutes = max(1, (seconds + 59) / 60)
        return minutes == 1 ? "a minute" : "\(minutes) minutes"
    }
}
