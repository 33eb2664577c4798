import TenureCore

/// An app that was transferred from another device and shows a darkened icon until it's installed.
struct WaitingApp: Sendable, Hashable {
    let item: AppleItemID
    /// The version on the other device, which a restore requests.
    let version: AppleVersionID
    /// The bundle id; `nil` if it isn't known.
    let bundleID: String?
    /// The name that the user was shown; `nil` if there isn't one.
    let givenName: String?
    /// Whether the app is a marketplace, whose users sign in on its web page.
    let isMarketplace: Bool
    /// The account that installed the app on the other device; `nil` if there are no accounts.
    var account: AccountID?
    /// Why the last try failed; `nil` before the first try.
    var reason: String?

    /// The app's name in alerts.
    var name: String { InstalledApp.name(givenName, bundleID, item) }
}

extension Device {
    /// Returns a new device with this device's account and darkened icons of its apps, but without tokens and licenses.
    func restored(model: String, systemVersion: String) -> Device {
        var new = Device(model: model, systemVersion: systemVersion, server: server)
        (new.account, new.clockFile, new.marketplaceName) = (account, clockFile, marketplaceName)
        new.waiting = apps.map { app in
            WaitingApp(
                item: app.item, version: app.version, bundleID: app.bundleID, givenName: app.givenName,
                isMarketplace: app.isMarketplace, account: app.account)
        }
        for app in waiting where !new.waiting.contains(where: { $0.item == app.item }) {
            var app = app
            app.reason = nil
            new.waiting.append(app)
        }
        new.waiting.sort { $0.item < $1.item }
        return new
    }
}

/// The prompt that the system shows if an app can't be restored.
enum RestorePrompt: Sendable, Hashable {
    /// The marketplace no longer has the app: it responded with 404 and a JSON body.
    case notAvailable
    /// The user must sign in: on the marketplace's web page if `isMarketplace` is set, otherwise in the marketplace's
    /// app.
    ///
    /// It's set if the app to restore is the marketplace's own.
    case verification(isMarketplace: Bool)

    /// Returns the prompt's bold first line and the text below it.
    func words(app: String, marketplace: String) -> (title: String, message: String) {
        switch self {
        case .notAvailable: ("App Not Available", "\"\(app)\" not available from \(marketplace).")
        case .verification(true): ("Verification Required", "Tap Continue and sign in to install this app.")
        case .verification(false):
            (
                "Verification Required",
                "To install \"\(app)\", you need to verify your account in \(marketplace)."
            )
        }
    }

    /// Creates the prompt for an error; `nil` if the system shows no prompt and the icon stays darkened.
    ///
    /// If the server is unavailable or broken, the system shows no prompt, because the marketplace may still have the
    /// app.
    init?(_ error: DeviceError, isMarketplace: Bool) {
        switch error.code {
        case .notAvailable where error.problem?.status == 404: self = .notAvailable
        case .signInNeeded: self = .verification(isMarketplace: isMarketplace)
        default: return nil
        }
    }
}
