import TenureCore

extension LicenseEngine {
    /// Lists the devices that hold places of the license, and first releases one of them if it is named.
    ///
    /// Nothing is changed here: a license that was stopped meanwhile is noticed by the next refresh.
    package func devices(releasing other: String? = nil) async -> LicenseDevicesAnswer {
        load()
        guard let license = record?.license, let lease = license.lease else {
            return .refused(stand().resolution.explanation)
        }
        let activation = license.activation
        switch await service.places(of: activation, lease: [UInt8](lease), freeing: other) {
        case .yes(let held): return .listed(LicenseDevices(held, here: activation.activation))
        case .no(let no):
            let reasons = no.reasons.map(Reason.init)
            return .refused(Explanation(reasons.first ?? .refusedWithoutReason, Array(reasons.dropFirst())))
        case .unknown(let unreached): return .unreached(Explanation(.serverUnreached(unreached)))
        }
    }
}
