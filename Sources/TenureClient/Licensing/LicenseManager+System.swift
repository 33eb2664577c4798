import Foundation
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTPClient

extension LicenseManager {
    /// Makes the manager of an app: the server over the network, the record on this system, this device, its clocks.
    ///
    /// Nothing is read or asked before ``checkOnLaunch()``. Make one and keep it.
    ///
    /// Throws ``LicenseError``: `.misconfigured`, the configuration cannot be used, or the network not be opened;
    /// `.noDevice`, there is nothing to recognize this device by, and the message says what to do.
    public convenience init(_ configuration: LicenseConfiguration) throws(LicenseError) {
        let device: ThisDevice
        do throws(DeviceIDError) {
            device = try ThisDevice.current(explicit: configuration.deviceIdentifier)
        } catch {
            throw LicenseError(.noDevice, error.message)
        }
        let parts = try LicenseParts(configuration, device: device)
        self.init(engine: parts.engine, trialEntitlements: configuration.trialEntitlements)
    }
}
