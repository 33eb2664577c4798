import TenureCore
import TenureServerKit
import TenureStore

extension Concern {
    /// Policies whose licenses have reached their limit of different devices.
    static let devices = Concern(after: .records) { context in
        [await usedUpDevices(context.store, at: context.now)]
    }

    private static func usedUpDevices(_ store: any Store, at now: Timestamp) async -> Finding {
        do throws(StoreError) {
            let met = try await store.usedUpDevices(at: now)
            if met.isEmpty { return .ok("devices", "no license has reached its limit of device changes") }
            let policies = met.map { "\($0.policy.product)/\($0.policy.policy) (\($0.count))" }.joined(separator: ", ")
            return .warning(
                "devices", "licenses with these policies can't be activated on further devices for now: \(policies)",
                cure:
                    "If the use is legitimate, raise `deviceChanges` in the catalog, for example for apps that send no "
                    + "`machine_hash`. Devices that an operator releases don't count.")
        } catch {
            return .failure("devices", error)
        }
    }
}
