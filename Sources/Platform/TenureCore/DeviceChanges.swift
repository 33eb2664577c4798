/// The limit for different devices that use a license within some days, released ones included.
public enum DeviceChanges {
    /// The shortest time that a released device counts, in days.
    public static let countedDays = 30

    /// The limit of a policy that sets none: at least 3; `nil` for a policy without a device limit.
    public static func standard(for limit: Int?) -> Int? { limit.map { max(3, $0) } }
}
