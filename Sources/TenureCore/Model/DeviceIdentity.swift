/// By what a second activation is known to come from a device that is already active.
///
/// Most specific first: a hash of the machine; without one, the id of an installation on the free tier; without
/// that, a repeat of the same attempt. An anonymous device is a new one each time.
public enum DeviceIdentity: Sendable, Hashable {
    /// The device itself: its `machine_hash`, 64 lower-case hexadecimal digits.
    case machine(String)
    /// An installation that used the free tier before: its `free_tier_instance_id`.
    case freeTier(String)
    /// One attempt to activate, sent again: the instance's name and the request's id.
    case attempt(name: String, request: String)
    /// Nothing to know it by.
    case anonymous

    /// Chooses the most specific identity that the parts allow; empty texts count as absent.
    public init(machineHash: String?, freeTierInstance: String?, instanceName: String?, request: String?) {
        if let machineHash, !machineHash.isEmpty {
            self = .machine(machineHash)
        } else if let freeTierInstance, !freeTierInstance.isEmpty {
            self = .freeTier(freeTierInstance)
        } else if let instanceName, !instanceName.isEmpty, let request, !request.isEmpty {
            self = .attempt(name: instanceName, request: request)
        } else {
            self = .anonymous
        }
    }

    /// How long the same attempt is known again, in seconds.
    public static let attemptWindow: Int64 = 600
}
