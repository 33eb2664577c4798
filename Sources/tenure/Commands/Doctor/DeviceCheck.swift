import TenureCore
import TenureLicensingServer
import TenureServerKit
import TenureStore

/// Checks for policies whose licenses have reached their limit of different devices.
enum DeviceCheck {
    static func run(_ store: any Store, at now: Timestamp) async -> Finding {
        do throws(StoreError) {
            let met = try await store.usedUpDevices(at: now)
            if met.isEmpty { return .ok("devices", "no license was used on more devices than it may be") }
            let told = met.map { "\($0.policy.product)/\($0.policy.policy) (\($0.count))" }.joined(separator: ", ")
            return .warning(
                "devices", "licenses of these policies take no further device for now: \(told)",
                cure: "Raise `deviceChanges` in the catalog if their holders are honest, as for apps that send no "
                    + "`machine_hash`; a device that the operator releases does not count.")
        } catch {
            return .failure("devices", error.message, cure: "See the message; \(error.cause ?? "no cause was told").")
        }
    }
}
