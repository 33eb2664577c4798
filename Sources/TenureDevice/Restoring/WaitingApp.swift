package import TenureCore

/// An app that came to the device from another, as an icon that is darkened until the app is there.
package struct WaitingApp: Sendable, Hashable {
    /// Which app.
    package let item: AppleItemID
    /// The version that the other device had, which is asked for.
    package let version: AppleVersionID
    /// The bundle's identifier, when it is known.
    package let bundleID: String?
    /// What the person calls it.
    package let givenName: String?
    /// Whether it is a marketplace itself, which signs in on a page of its own.
    package let isMarketplace: Bool
    /// What stood in the way the last time; nil before it was tried.
    package var reason: String?

    /// What an alert calls it.
    package var name: String { InstalledApp.name(givenName, bundleID, item) }
}

extension Device {
    /// What a new device becomes from this one: account and icons, and neither tokens nor licenses.
    package func restored(model: String, systemVersion: String) -> Device {
        var new = Device(model: model, systemVersion: systemVersion, server: server)
        (new.account, new.clockFile, new.marketplaceName) = (account, clockFile, marketplaceName)
        new.waiting = apps.map { app in
            WaitingApp(
                item: app.item, version: app.version, bundleID: app.bundleID, givenName: app.givenName,
                isMarketplace: app.isMarketplace)
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

/// What the system shows when an app cannot be restored.
package enum RestorePrompt: Sendable, Hashable {
    /// The marketplace has it no more: a 404 in so many words.
    case notAvailable
    /// The person signs in, in the marketplace's app; or on its page, where that app itself is to come back.
    case verification(isMarketplace: Bool)

    /// The line in heavy letters, and what it says.
    package func words(app: String, marketplace: String) -> (title: String, message: String) {
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

    /// What an end is shown as; nil where the icon merely stays darkened: a server that is away, busy or damaged has not
    /// said that it has no such app.
    package init?(_ error: DeviceError, isMarketplace: Bool) {
        switch error.code {
        case .notAvailable where error.said?.status == 404: self = .notAvailable
        case .signInNeeded: self = .verification(isMarketplace: isMarketplace)
        default: return nil
        }
    }
}
