/// Apple's `ALDLicenseAction`; the raw numbers are not documented.
public enum ALDLicenseAction: UInt32 {
    /// New licenses.
    case create
    /// Static licenses.
    case generateStatic
    /// Renewal.
    case renew
    /// Anything else.
    case unknown
}
