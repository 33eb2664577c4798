import TenureCore
import TenureFoundation
import TenureLicensing

enum DeviceRequests {
    /// Fetches the devices on which the license is activated; releases one of them first if `other` is set.
    ///
    /// The server requires a valid lease. So a lease that has lapsed, by this device's clock or by the server's, is
    /// renewed first. If the renewal fails, the error contains its reasons.
    static func list(
        of engine: isolated LicenseEngine, releasing other: String?
    ) async throws(LicenseDevicesError) -> LicenseDevices {
        engine.load()
        if hasLapsedLease(engine) { try await renewLapsedLease(engine) }
        var (lease, answer) = try await request(engine, releasing: other)
        if case .unknown(let failure) = answer, failure.code == "lease_not_valid" {
            // The lease has lapsed by the server's clock.
            try await renewLapsedLease(engine)
            if engine.record?.license?.lease != lease { (lease, answer) = try await request(engine, releasing: other) }
        }
        switch answer {
        case .success(let devices):
            engine.deviceLimit = devices.limit
            return LicenseDevices(devices, here: engine.record?.license?.activation.activation ?? "")
        case .refused(let refusal):
            let reasons = refusal.reasons.map(Reason.init)
            throw LicenseDevicesError(
                .refused, Explanation(reasons.first ?? .refusedWithoutReason, Array(reasons.dropFirst())))
        case .unknown(let unreached):
            throw LicenseDevicesError(.unreached, Explanation(.serverUnreached(unreached)))
        }
    }

    /// Requests the list; returns the response with the lease that was sent.
    private static func request(
        _ engine: isolated LicenseEngine, releasing other: String?
    ) async throws(LicenseDevicesError) -> (lease: Data, answer: Answer<ActivatedDevices>) {
        guard let license = engine.record?.license, let lease = license.lease else {
            throw LicenseDevicesError(.noLicense, engine.stand().resolution.explanation)
        }
        return (lease, await engine.service.places(of: license.activation, lease: [UInt8](lease), freeing: other))
    }

    private static func hasLapsedLease(_ engine: isolated LicenseEngine) -> Bool {
        guard case .lease(let lease) = engine.storedLicense() else { return false }
        return lease.expiresAt.timestamp <= engine.readClock().1.now
    }

    /// Renews the lease; throws the reasons if there's no valid one afterwards.
    private static func renewLapsedLease(_ engine: isolated LicenseEngine) async throws(LicenseDevicesError) {
        if case .unreached(let explanation) = await engine.check() {
            throw LicenseDevicesError(.unreached, explanation)
        }
        if case .refused = engine.storedLicense() {
            throw LicenseDevicesError(.refused, engine.stand().resolution.explanation)
        }
        if hasLapsedLease(engine) { throw LicenseDevicesError(.unreached, engine.stand().resolution.explanation) }
    }
}
