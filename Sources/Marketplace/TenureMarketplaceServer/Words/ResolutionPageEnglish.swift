import TenureServerKit

enum ResolutionPageEnglish {
    static let words: [ResolutionPageText: Wording] = [
        .matter: "an app doesn’t open",
        .linkShows: "It shows the status of your account at {marketplace}.",
        .publicTitle: "{app} doesn’t open?",
        .publicTitleUnknown: "An app doesn’t open?",
        .publicLead: "Usually it opens again once you have opened the marketplace app.",
        .sessionEnded: "You were signed out after half an hour. Please sign in again.",
        .theApp: "the app",
        .withdrawnMark: "Withdrawn",
        .withdrawnTitle: "This app is no longer offered",
        .withdrawnEnds: """
        The vendor withdrew it, and its licenses are no longer renewed. It stops opening when they expire.
        """,
        .withdrawnStays: """
        The vendor withdrew it. Installed copies keep working, and their licenses are still renewed.
        """,
        .firstTitle: "What to try first",
        .firstConnect: "Make sure the device is connected to the internet.",
        .firstReopen: "Open {marketplace} again after a minute.",
        .firstOpen: "Open the {marketplace} app. It renews licenses that are about to expire.",
        .firstStart: "Wait a minute, then start {app} again.",
        .showApp: "Show {app} at {marketplace}",
        .statusTitle: "See the status of your devices",
        .whyTitle: "Why an app may stop opening",
        .whyText: """
        Each device has a license for {app}. The device renews it automatically before it expires. If that \
        fails, \
        the app doesn’t open until the license is renewed.
        """,
        .whyExpired: "The license has expired",
        .whyExpiredText: "The device was switched off or offline when renewal was due.",
        .whyEnded: "Your subscription has ended",
        .whyEndedText: "Licenses are issued only while it lasts. Renew it to open the app again.",
        .whyLimit: "Too many devices",
        .whyLimitText: "An app may be limited to a number of devices. Release one to use another.",
        .whyLimitCount: .counted(
            one: "You can use the app on one device at once. Release one to use another.",
            other: "You can use the app on {count} devices at once. Release one to use another."),
        .whyStopped: "The vendor stopped the license",
        .whyStoppedText: "A license can be suspended or revoked. Ask support for the reason.",
        .yourApps: "Your apps",
        .appOnDevices: "{app} on your devices",
        .showAll: "Show all your apps",
        .noApps: "This account has no apps yet.",
        .noDevice: "There is no device with a license at the moment.",
        .allFine: "Everything is fine.",
        .needAttention: .counted(
            one: "One license needs your attention.", other: "{count} licenses need your attention."),
        .expireSoon: .counted(one: "One license expires soon.", other: "{count} licenses expire soon."),
        .devicesInUse: .counted(one: "{used} of 1 device in use.", other: "{used} of {count} devices in use."),
        .roomNone: "Release one to use another.",
        .room: .counted(one: "You can use one more.", other: "You can use {count} more."),
        .olderHidden: .counted(one: "1 older license isn’t shown.", other: "{count} older licenses aren’t shown."),
        .noLicense: "No device has a license",
        .notYours: """
        This account doesn’t have {app}. Get it in the marketplace app, or sign in with the account that has it.
        """,
        .accessEndedOn: "The vendor ended this account’s access on {date}.",
        .subscriptionEndedOn: "Your subscription ended on {date}. Renew it in the marketplace app.",
        .canUse: "You can use {app} with this account. Install it from the marketplace app to license a device.",
        .show: "Show {app}",
        .device: "Device {code}",
        .version: "Version {version}",
        .licensedSince: "Licensed since",
        .lastRenewed: "Last renewed",
        .renewalRefused: "Renewal refused",
        .releasedAt: "Released",
        .stoppedAt: "Stopped",
        .expiredAt: "Expired",
        .expiresAt: "Expires",
        .never: "never",
        .subscriptionEndedAt: "Subscription ended",
        .accessEndedAt: "Access ended",
        .otherDevices: "Other devices",
        .devicesAllowed: "Devices allowed",
        .otherLimit: "The app is also on the maximum number of other devices.",
        .otherWithdrawn: "The app has also been withdrawn.",
        .otherTooLate: "The license also expired too long ago to be renewed.",
        .otherSubscription: "Your subscription has also ended.",
        .otherVendor: "There is also a problem on the vendor’s side.",
        .whatToDo: "What to do",
        .renewNow: "Renew now",
        .releaseNow: "Yes, release it",
        .releaseWarningExpired: """
        Its license has expired and no longer counts against your limit. Once released, it can’t be renewed, and \
        this can’t be undone. To use {app} on this device again, install it again.
        """,
        .releaseWarning: """
        You can use {app} on another device right away. It stops opening on this one, and this can’t be \
        undone. To \
        use it here again, install it again.
        """,
        .releaseWarningUntil: """
        You can use {app} on another device right away. It stops opening on this one by {date} at the \
        latest, and \
        this can’t be undone. To use it here again, install it again.
        """,
        .opens: "Opens",
        .opensForNow: "Opens for now",
        .closed: "Doesn’t open",
        .released: "Released",
        .stopped: "Stopped",
        .fine: "Everything is fine",
        .expired: "The license has expired",
        .renewalFailed: "Renewal failed",
        .subscriptionEnded: "Your subscription has ended",
        .accessEnded: "Access has ended",
        .notGranted: "This account doesn’t have the app",
        .deviceLimit: "Too many devices",
        .withdrawn: "The app has been withdrawn",
        .tooLate: "The license expired long ago",
        .suspended: "The license is suspended",
        .revoked: "The license has been revoked",
        .deviceReleased: "This device has been released",
        .vendorSide: "The license can’t be renewed at the moment",
        .fineText: "The device renews its license automatically when it is online.",
        .perpetualText: "The license of this device never expires.",
        .expiredText: """
        The device didn’t renew its license in time. This happens if it was switched off or offline on the \
        day it \
        was due, or couldn’t reach the server. You can get a new license now.
        """,
        .renewalFailedText: "The device asked for a renewal and was refused. The cause has been resolved.",
        .subscriptionEndedText: "Licenses are issued only while your subscription lasts.",
        .accessEndedText: "The vendor ended this account’s access to {app}.",
        .notGrantedText: "{app} was never added to this account, or belongs to another account.",
        .deviceLimitText: "The app is on the maximum number of other devices of this account.",
        .deviceLimitCount: .counted(
            one: """
                You can use {app} on one device at once. After this device’s license expired, another device was \
                licensed instead.
                """,
            other: """
                You can use {app} on {count} devices at once. After this device’s license expired, another \
                device was \
                licensed instead.
                """),
        .withdrawnText: "{app} is no longer offered, and its licenses are no longer renewed.",
        .tooLateText: "The license hasn’t been renewed for so long that this device needs a new one.",
        .suspendedText: "The vendor has suspended the license of this device.",
        .revokedText: "The vendor has revoked the license of this device permanently.",
        .deviceReleasedText: "This device was released, so you can use another device instead.",
        .vendorSideText: "There is a problem on the vendor’s side. You did nothing wrong.",
        .expiredHelp: """
        Connect the device to the internet, open the marketplace app on it, and start {app} again after a minute.
        """,
        .subscriptionHelp: "Renew your subscription in the marketplace app. Then {app} opens again.",
        .accessHelp: """
        Get {app} again in the marketplace app, or write to support if you think this is a mistake.
        """,
        .notGrantedHelp: """
        Get {app} in the marketplace app with this account, or sign in with the account that has it.
        """,
        .deviceLimitHelp: "Release a device that you no longer use, then tap “Renew now” here.",
        .withdrawnHelp: "Ask support whether it will come back.",
        .tooLateHelp: "Install {app} again from the marketplace app. You don’t need to delete it first.",
        .suspendedHelp: """
        Ask support for the reason. Once the license is reinstated, open the marketplace app to renew it.
        """,
        .revokedHelp: "Ask support for the reason. They can give you access to {app} again.",
        .releasedHelp: "To use {app} on this device again, install it from the marketplace app.",
        .vendorHelp: "Try again tomorrow. If the problem persists, write to support.",
        .changesOn: "This changes automatically on {date}.",
        .stopsOn: "Unless you act, {app} stops opening on {date}.",
    ]
}
