import TenureContent
import TenureCore
import TenureServerKit

/// Limits what a holder's device can make the server store.
///
/// A token could otherwise report invented plays, and leave a stored response for each request, without end. The limits
/// are far beyond the needs of an app: a device that was offline for a year reports its plays within a few days.
final class ContentRateLimit: Sendable {
    /// A holder's device, for which requests and new plays are counted.
    struct Device: Hashable {
        let tenant: TenantID
        let holder: String
        let device: Digest

        init(_ present: PresentHolder) {
            tenant = present.tenant
            holder = present.holder
            device = present.device
        }
    }

    /// Counts the requests of a device that change something.
    private let requests = ActionRate<Device>(.init(600, perSeconds: 60), .init(10_000, perSeconds: 86_400))
    /// Counts the new plays that a device reports.
    private let devicePlays = ActionRate<Device>(.init(20_000, perSeconds: 30 * 86_400))
    /// Counts the new plays that are reported for a license.
    private let licensePlays = ActionRate<ContentLicenseID>(.init(5_000, perSeconds: 30 * 86_400))

    /// Counts a request; throws a 429 if the device sent too many.
    func admit(_ present: PresentHolder, at now: Timestamp) throws(Failure) {
        if let wait = requests.take(Device(present), at: now) { throw Self.tooMany(retryAfter: wait) }
    }

    /// How many seconds a device must wait until it may report new plays of these licenses; `nil` if it may do so now.
    func wait(_ plays: [ContentLicenseID: Int], of device: Device, at now: Timestamp) -> Int64? {
        if plays.isEmpty { return nil }
        let waits = plays.keys.map { licensePlays.wait($0, at: now) } + [devicePlays.wait(device, at: now)]
        return waits.compactMap(\.self).max()
    }

    /// Counts new plays that were stored.
    func count(_ plays: [ContentLicenseID: Int], of device: Device, at now: Timestamp) {
        if plays.isEmpty { return }
        devicePlays.count(device, plays.values.reduce(0, +), at: now)
        for (license, count) in plays { licensePlays.count(license, count, at: now) }
    }

    /// The response for a device that must wait: a 429, which leaves licenses and unreported plays on it as they are.
    static func tooMany(retryAfter seconds: Int64) -> Failure {
        .tooMany(
            "This device has sent too many requests or reported too many plays. Wait for the time in Retry-After, then "
                + "send the request again.",
            retryAfter: seconds)
    }
}
