/// Apple's `ALDSessionType`. Apple doesn't document the raw values.
public enum ALDSessionType: UInt32 {
    /// A session that responds to a request.
    case normalSession
    /// A session without a request.
    case staticSession
    /// Any other session.
    case unknown
}
