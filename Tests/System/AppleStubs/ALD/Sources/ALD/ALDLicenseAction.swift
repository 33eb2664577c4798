/// Apple's `ALDLicenseAction`. Apple doesn't document the raw values.
public enum ALDLicenseAction: UInt32 {
    /// Requests new licenses.
    case create
    /// Generates static licenses.
    case generateStatic
    /// Renews licenses.
    case renew
    /// Any other action.
    case unknown
}
