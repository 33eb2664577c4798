/// What a device asks a license engine for.
public enum AppLicenseAction: String, Sendable, Hashable {
    /// Licenses for apps that are new to it.
    case create
    /// Licenses that permit nothing but to install.
    case generateStatic
    /// Renewal of licenses that it has.
    case renew
    /// Something that this engine has no word for.
    case unknown
}
