#if canImport(Darwin)
    public import TenureFoundation

    // `FoundationEssentials` doesn't bridge errors to `NSError`.
    extension LicenseError: CustomNSError {}

    // `FoundationEssentials` has no notifications. Apps on Linux listen to ``LicenseManager/transitions``.
    extension Notification.Name {
        /// Posted on the main actor after every transition; the object is the ``LicenseManager``.
        public static let tenureLicenseDidChange = Notification.Name("tenureLicenseDidChange")
        /// Keylight's name for ``tenureLicenseDidChange``.
        public static let keylightLicenseDidChange = tenureLicenseDidChange
    }
#endif
