/// How many different devices may use a license within a period; released devices count too.
public enum DeviceChanges {
    /// The shortest time that a released device counts, in days.
    public static let countedDays = 30

    /// The limit for a policy that doesn't set one: its device limit, but at least 3; `nil` if it has no device limit.
    public static func standard(for limit: Int?) -> Int? { limit.map { max(3, $0) } }
}
