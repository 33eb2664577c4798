import TenureCore
import TenureServerKit

extension LicenseCard {
    /// The text of the status mark.
    var mark: String {
        switch light {
        case .opens: "Opens"
        case .opensUntil: "Opens for now"
        case .closed: "Does not open"
        case .over: standing == .released ? "Released" : "Stopped"
        }
    }

    /// The card's headline.
    var headline: String {
        switch standing {
        case .fine: "Nothing is wrong"
        case .expired: "The license ran out"
        case .renewalFailed: "A renewal did not work"
        case .subscriptionEnded: "The subscription ended"
        case .accessEnded: "Access was ended"
        case .notGranted: "This account does not have the app"
        case .deviceLimit: "Too many devices"
        case .withdrawn: "The app was withdrawn"
        case .tooLate: "The license ran out long ago"
        case .suspended: "The license is suspended"
        case .revoked: "The license was revoked"
        case .released: "This device was released"
        case .vendorSide: "The license cannot be renewed at the moment"
        }
    }

    /// What happened, as a short text.
    var story: String {
        switch standing {
        case .fine:
            end == nil
                ? "The license of this device never runs out."
                : "The device renews its license by itself while it is online now and then."
        case .expired:
            "The device did not renew its license in time. That happens when it was switched off or offline on the day "
                + "it was due, or when it could not reach the server. Nothing stands in the way of a new one."
        case .renewalFailed:
            "The device asked for a renewal and was refused. What stood in the way is gone."
        case .subscriptionEnded: "Licenses are given for as long as the subscription lasts, and it is over."
        case .accessEnded: "The vendor ended this account’s access to \(appName)."
        case .notGranted: "\(appName) was never granted to this account, or belongs to another one."
        case .deviceLimit: limitStory
        case .withdrawn: "\(appName) is no longer offered, and its licenses are no longer renewed."
        case .tooLate: "The license was not renewed for so long that this device needs a new one."
        case .suspended: "The vendor stopped the license of this device for the time being."
        case .revoked: "The vendor stopped the license of this device for good."
        case .released: "The license was given back, and its place is free for another device."
        case .vendorSide: "Something is missing on the vendor’s side. You did nothing wrong."
        }
    }

    private var limitStory: String {
        guard let deviceLimit else { return "The app is on as many other devices of this account as are allowed." }
        let devices = deviceLimit == 1 ? "one device" : "\(deviceLimit) devices"
        return "An account may use \(appName) on \(devices) at once. While this device’s license was over, its place "
            + "was taken by another."
    }

    /// What the person can do; `nil` if nothing needs to be done.
    var cure: String? {
        switch standing {
        case .fine: nil
        case .expired, .renewalFailed:
            "Go online, open the marketplace app on the device, and start \(appName) again after a minute."
        case .subscriptionEnded:
            "Renew the subscription in the marketplace app. \(appName) opens again after that."
        case .accessEnded:
            "Get \(appName) again in the marketplace app, or write to support if you think it is a mistake."
        case .notGranted:
            "Get \(appName) in the marketplace app with this account, or sign in with the account that has it."
        case .deviceLimit: "Release a device that you no longer use, then tap “Renew now” here."
        case .withdrawn: "Support can tell whether it comes back."
        case .tooLate: "Install \(appName) again from the marketplace app. You need not delete it first."
        case .suspended: "Support can tell why. When the suspension is lifted, open the marketplace app to renew."
        case .revoked: "Support can tell why, and grant \(appName) to you again."
        case .released: "To use \(appName) on this device again, install it from the marketplace app."
        case .vendorSide: "Try again tomorrow, and write to support if it stays like this."
        }
    }

    /// When the state changes automatically; `nil` if it doesn't.
    var byItself: String? {
        if let changes = reasons.first?.changesAt, changes > now {
            return "This changes by itself on \(changes.forPeople)."
        }
        guard light == .opensUntil || light == .opens, let end, end > now else { return nil }
        return light == .opens ? nil : "If nothing is done, \(appName) stops opening on \(end.forPeople)."
    }
}
