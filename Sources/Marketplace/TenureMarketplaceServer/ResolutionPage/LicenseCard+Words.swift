import TenureCore
import TenureServerKit

extension LicenseCard {
    /// The text of the status mark.
    var mark: String {
        switch light {
        case .opens: "Opens"
        case .opensUntil: "Opens for now"
        case .closed: "Doesn’t open"
        case .over: standing == .released ? "Released" : "Stopped"
        }
    }

    var headline: String {
        switch standing {
        case .fine: "Everything is fine"
        case .expired: "The license has expired"
        case .renewalFailed: "Renewal failed"
        case .subscriptionEnded: "Your subscription has ended"
        case .accessEnded: "Access has ended"
        case .notGranted: "This account doesn’t have the app"
        case .deviceLimit: "Too many devices"
        case .withdrawn: "The app has been withdrawn"
        case .tooLate: "The license expired long ago"
        case .suspended: "The license is suspended"
        case .revoked: "The license has been revoked"
        case .released: "This device has been released"
        case .vendorSide: "The license can’t be renewed at the moment"
        }
    }

    /// The text that explains what happened.
    var story: String {
        switch standing {
        case .fine:
            end == nil
                ? "The license of this device never expires."
                : "The device renews its license automatically when it is online."
        case .expired:
            "The device didn’t renew its license in time. This happens if it was switched off or offline on the day "
                + "it was due, or couldn’t reach the server. You can get a new license now."
        case .renewalFailed:
            "The device asked for a renewal and was refused. The cause has been resolved."
        case .subscriptionEnded: "Licenses are issued only while your subscription lasts."
        case .accessEnded: "The vendor ended this account’s access to \(appName)."
        case .notGranted: "\(appName) was never added to this account, or belongs to another account."
        case .deviceLimit: limitStory
        case .withdrawn: "\(appName) is no longer offered, and its licenses are no longer renewed."
        case .tooLate: "The license hasn’t been renewed for so long that this device needs a new one."
        case .suspended: "The vendor has suspended the license of this device."
        case .revoked: "The vendor has revoked the license of this device permanently."
        case .released: "This device was released, so you can use another device instead."
        case .vendorSide: "There is a problem on the vendor’s side. You did nothing wrong."
        }
    }

    private var limitStory: String {
        guard let deviceLimit else { return "The app is on the maximum number of other devices of this account." }
        let devices = deviceLimit == 1 ? "one device" : "\(deviceLimit) devices"
        return "You can use \(appName) on \(devices) at once. After this device’s license expired, another device "
            + "was licensed instead."
    }

    /// What the person can do; `nil` if nothing needs to be done.
    var cure: String? {
        switch standing {
        case .fine: nil
        case .expired, .renewalFailed:
            "Connect the device to the internet, open the marketplace app on it, and start \(appName) again after a "
                + "minute."
        case .subscriptionEnded:
            "Renew your subscription in the marketplace app. Then \(appName) opens again."
        case .accessEnded:
            "Get \(appName) again in the marketplace app, or write to support if you think this is a mistake."
        case .notGranted:
            "Get \(appName) in the marketplace app with this account, or sign in with the account that has it."
        case .deviceLimit: "Release a device that you no longer use, then tap “Renew now” here."
        case .withdrawn: "Ask support whether it will come back."
        case .tooLate: "Install \(appName) again from the marketplace app. You don’t need to delete it first."
        case .suspended:
            "Ask support for the reason. Once the license is reinstated, open the marketplace app to renew it."
        case .revoked: "Ask support for the reason. They can give you access to \(appName) again."
        case .released: "To use \(appName) on this device again, install it from the marketplace app."
        case .vendorSide: "Try again tomorrow. If the problem persists, write to support."
        }
    }

    /// A sentence that says when the state changes without any action; `nil` if it doesn't.
    var byItself: String? {
        if let changes = reasons.first?.changesAt, changes > now {
            return "This changes automatically on \(changes.forPeople)."
        }
        guard light == .opensUntil || light == .opens, let end, end > now else { return nil }
        return light == .opens ? nil : "Unless you act, \(appName) stops opening on \(end.forPeople)."
    }
}
