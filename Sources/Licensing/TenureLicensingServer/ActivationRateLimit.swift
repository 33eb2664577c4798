import Synchronization
import TenureCore
import TenureLicensing
import TenureServerKit

/// Limits how often new activations are recorded for a device, and for a license.
///
/// Every new activation adds a row and an event that are never deleted, and its release adds another event. The
/// policy's limit on different devices doesn't prevent this: the same device can be released and activated again, and a
/// policy may have no such limit. The limit applies per process: servers that share a store count separately.
final class ActivationRateLimit: Sendable {
    private enum Bounds {
        /// Activations of one device under one license, per hour.
        ///
        /// A person who reinstalls an app, or moves a license back and forth, needs a few.
        static let perDevice = 30
        /// The limit on activations of one license per minute; a company can still install an app on all devices at
        /// once.
        static let perLicense = 600
        /// The maximum number of devices, and of licenses, whose activations are counted.
        static let capacity = 50_000
    }

    private struct Device: Hashable {
        let license: LicenseID
        let identity: DeviceIdentity
    }

    private struct Counts {
        var devices = WindowCounter<Device>(window: 3_600, capacity: Bounds.capacity)
        var licenses = WindowCounter<LicenseID>(window: 60, capacity: Bounds.capacity)
    }

    private let counts = Mutex(Counts())

    /// How many seconds the device must wait until another activation is recorded; `nil` if that is possible now.
    func wait(_ identity: DeviceIdentity, of license: LicenseID, at now: Timestamp) -> Int64? {
        counts.withLock { counts in
            if counts.licenses.count(of: license, at: now) >= Bounds.perLicense {
                return counts.licenses.secondsLeft(of: license, at: now)
            }
            guard let device = Self.device(identity, of: license),
                counts.devices.count(of: device, at: now) >= Bounds.perDevice
            else { return nil }
            return counts.devices.secondsLeft(of: device, at: now)
        }
    }

    /// Counts a new activation that was recorded.
    func count(_ activation: Activation) {
        counts.withLock { counts in
            counts.licenses.add(activation.license, at: activation.activatedAt)
            if let device = Self.device(activation.identity, of: activation.license) {
                counts.devices.add(device, at: activation.activatedAt)
            }
        }
    }

    /// The response to a device that must wait: a 429, which doesn't change any app's state.
    static func tooMany(retryAfter seconds: Int64) -> Failure {
        .tooMany(
            "The license was activated and released too often in a short time. Wait for the time in Retry-After, then "
                + "activate it again.",
            retryAfter: seconds)
    }

    /// A device that can be recognized; `nil` for others, of which each counts as a new one.
    private static func device(_ identity: DeviceIdentity, of license: LicenseID) -> Device? {
        switch identity {
        case .machine, .freeTier: Device(license: license, identity: identity)
        case .attempt, .anonymous: nil
        }
    }
}
