enum FrameEnglish {
    /// The sentences in English. Each line of a text is a paragraph.
    static let words: [FrameText: Wording] = [
        .skip: "Skip to the content",
        .view: "Language and time zone",
        .language: "Language",
        .timeZone: "Time zone",
        .apply: "Apply",
        .simulated: "Simulation: licenses from this server are for testing. Real devices don’t accept them.",
        .virtualClock: "Virtual clock: the time on this server is adjusted for testing.",
        .nothingHere: "Page not found",
        .homeTitle: "License server",
        .homeLead: "Apps check their licenses here. There is nothing to do for you on this page.",
        .homeText: """
        If someone sent you a link to your license, your devices or your courses, open the whole link, up \
        to its last character.
        """,
        .homeProgram: "For developers: {link}",
        .signedInAs: "Signed in as {name}",
        .license: "License {name}",
        .signOut: "Sign out",
        .close: "Close",
        .supportEmail: "Need help? Write to {email}.",
        .supportSite: "Need help? Visit {site}.",
        .supportBoth: "Need help? Write to {email} or visit {site}.",
        .supportReference: "Reference for support: {reference}",
        .homepage: "To the website of {name}",
        .timeNow: "now",
        .timeInMinutes: .counted(one: "in 1 minute", other: "in {count} minutes"),
        .timeInHours: .counted(one: "in 1 hour", other: "in {count} hours"),
        .timeInDays: .counted(one: "in 1 day", other: "in {count} days"),
        .timeMinutesAgo: .counted(one: "1 minute ago", other: "{count} minutes ago"),
        .timeHoursAgo: .counted(one: "1 hour ago", other: "{count} hours ago"),
        .timeDaysAgo: .counted(one: "1 day ago", other: "{count} days ago"),
        .linkTitle: "Your one-time link",
        .linkWorksOnce: "The link works once.",
        .linkStaysSignedIn: "You stay signed in on this device for half an hour.",
        .linkStaysOpen: "The page stays open on this device for half an hour.",
        .goOn: "Continue",
        .toStart: "Go to the home page",
        .toDevices: "Back to your devices",
        .toLicense: "Back to your license",
        .showApp: "Show {app} at {marketplace}",
        .released: "The device has been released",
        .releasedText: "You can use another device now. Open the app on it to get a license.",
        .stopped: "The device wasn’t released",
        .stoppedText: "The vendor has stopped its license. Ask support for the reason.",
        .asked: "Your request has been saved",
        .askedText: """
        You can get a new license for {app}.
        The device has to fetch the license itself. Open the marketplace app on that device, wait a minute, then \
        start {app} again.
        """,
        .askedInVain: "Your request has been saved, but there is a problem",
        .askedInVainText: "{app}: {problem}.",
        .over: "There is nothing to renew",
        .overText: "This license has ended. Install the app again from the marketplace app to get a new one.",
        .unknownLicense: "License not found",
        .unknownLicenseText: "This account doesn’t have this license.",
        .noSession: "Please sign in again",
        .noSessionText: "You were signed out after half an hour.",
        .linkSpent: "This link doesn’t work",
        .linkSpentText:
            "It has been used already or has expired. Ask support for a new one, or sign in with your password.",
        .formRefused: "Please try again",
        .formRefusedText:
            "The form didn’t come from this page, or you have signed in again since. Nothing was changed.",
        .tooMany: "Too many attempts",
        .tooManyText: .counted(one: "Try again in a minute.", other: "Try again in {count} minutes."),
        .busy: "Just a moment",
        .busyText: "The server is busy. Try again in a few seconds.",
        .failed: "Something went wrong",
        .failedText: "This is our fault. Nothing was changed. Try again in a minute.",
        .deviceReleased: "{device} has been released",
        .deviceReleasedText: """
        Start the app on the device that you want to use and activate your license there.
        {device} learns this the next time it connects.
        """,
        .deviceKept: "The device wasn’t released",
        .yourDevices: "Your devices",
        .lastSeen: "Last seen",
        .release: "Release this device",
        .releaseNow: "Yes, release {device}",
        .releasesLeft: .counted(
            one: "You may release one more device this year.", other: "You may release {count} devices this year."),
        .releaseCooldown: """
        You released a device recently. You may release another one from {date}.
        If you can’t wait, write to support.
        """,
        .releasesUsedUp: """
        You have used all device releases for this year. You may release another one from {date}.
        If you can’t wait, write to support.
        """,
        .pageClosed: "This page is closed",
        .pageClosedText:
            "It stays open for half an hour; after that, nobody can see it. Ask support for a new link.",
        .pageLinkSpent: "This link doesn’t work",
        .pageLinkSpentText: "It has been used already or has expired. Ask support for a new one.",
        .contentsReleased: "The device has been released",
        .contentsReleasedText: """
        All content on it has been returned. The device learns this the next time it connects.
        Sign in on the device that you want to use and download your content there.
        """,
        .signedOut: "You are signed out",
        .signedOutText: "Nobody can see your devices here unless you sign in again.",
    ]
}
