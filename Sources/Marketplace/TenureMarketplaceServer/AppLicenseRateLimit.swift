import TenureCore
import TenureMarketplace
import TenureServerKit

/// Limits how many records a device can make the server store.
///
/// Each renewal writes an event, and each request for an app may write a license. The limits are far above a phone's
/// use. A phone requests at most some hundred apps at once, and renews a license some days before its end. At a
/// marketplace with accounts, an account's devices share the limit on licenses, because device ids can be invented.
final class AppLicenseRateLimit: Sendable {
    private struct Device: Hashable {
        let tenant: TenantID
        let device: Digest
    }

    private enum Owner: Hashable {
        case account(AccountRef)
        case device(Device)
    }

    /// Limits the requests of a device.
    private let requests = ActionRate<Device>(.init(120, perSeconds: 60), .init(1_200, perSeconds: 3_600))
    /// Limits the renewals that a device requests.
    private let renewals = ActionRate<Device>(.init(5_000, perSeconds: 3_600))
    /// Limits the apps that an account or, at an open marketplace, a device requests.
    private let apps = ActionRate<Owner>(.init(1_000, perSeconds: 3_600))

    /// Counts a request for apps; throws a 429 if there were too many.
    func admit(apps count: Int, to requester: AppLicense.Requester, at now: Timestamp) throws(Failure) {
        let device = Device(tenant: requester.tenant, device: requester.device)
        let owner = requester.owner.map { Owner.account($0) } ?? .device(device)
        if let wait = apps.wait(owner, at: now) ?? requests.take(device, at: now) {
            throw Self.tooMany(retryAfter: wait)
        }
        apps.count(owner, count, at: now)
    }

    /// Counts a request for renewals; throws a 429 if there were too many.
    func admit(renewals count: Int, of requester: AppLicense.Requester, at now: Timestamp) throws(Failure) {
        let device = Device(tenant: requester.tenant, device: requester.device)
        if let wait = renewals.wait(device, at: now) ?? requests.take(device, at: now) {
            throw Self.tooMany(retryAfter: wait)
        }
        renewals.count(device, count, at: now)
    }

    /// The response for a device that must wait: a 429, after which it keeps its licenses and repeats the request
    /// later.
    private static func tooMany(retryAfter seconds: Int64) -> Failure {
        .tooMany(
            "This device has requested licenses too often. Wait for the time in Retry-After, then send the request "
                + "again.",
            retryAfter: seconds)
    }
}
