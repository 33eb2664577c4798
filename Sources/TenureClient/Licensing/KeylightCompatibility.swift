public import Foundation

/// Names for code that was written for Keylight's SDK (seed 004).
@MainActor
public enum Keylight {
    /// The app's manager; nil until it is set, once, at launch.
    public static var manager: LicenseManager!
}

extension Notification.Name {
    /// Keylight's name for ``tenureLicenseDidChange``; the same notification.
    public static let keylightLicenseDidChange = tenureLicenseDidChange
}
