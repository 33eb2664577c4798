extension LicenseManager {
    /// Lists the devices that hold places of the license; over the Tenure dialect.
    ///
    /// - Returns: `.listed`; `.refused`, there is no license here, or the server says no; `.unreached`, also over
    ///   Keylight, which has no such list.
    public func devices() async -> LicenseDevicesAnswer {
        await engine.devices()
    }

    /// Releases another device, so that its place is free: also one that is lost or broken. The device learns why when
    /// it asks next, and the vendor can undo it.
    ///
    /// - Returns: `.listed`, the devices that are left; `.refused`, such as `self_release_off`, `self_release_cooldown`,
    ///   `self_release_used_up`; `.unreached`.
    public func release(_ device: LicenseDevices.Device) async -> LicenseDevicesAnswer {
        await engine.devices(releasing: device.id)
    }
}
