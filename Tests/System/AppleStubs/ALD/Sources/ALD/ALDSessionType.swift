/// Apple's `ALDSessionType`; the raw numbers are not documented.
public enum ALDSessionType: UInt32 {
    /// Answers a request.
    case normalSession
    /// Answers none.
    case staticSession
    /// Anything else.
    case unknown
}
