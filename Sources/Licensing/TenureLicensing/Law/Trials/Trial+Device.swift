public import TenureCore

extension Trial {
    /// The name and operating system that a device on trial reported, by which support recognizes it.
    ///
    /// No decision depends on it. It names a person's device, so it's removed some time after the trial.
    public struct Device: Sendable, Hashable {
        /// The product that the trial is for.
        public let product: ProductRef
        /// The hash that identifies the device.
        public let device: Digest
        /// The device's name; empty if it reported none.
        public let name: String
        /// The device's operating system; `nil` if it reported none.
        public let system: DeviceSystem?
        /// When the device reported the name and system.
        public let reportedAt: Timestamp
        /// When the row is removed.
        public let retainedUntil: Timestamp

        /// How many days after the trial's end the row is removed.
        public static let retentionDays = 90

        /// The shortest time between two changes, in seconds, since anyone who knows a device's hash can report a name.
        static let pause: Int64 = 3_600

        /// Creates a row with these values, which aren't checked.
        public init(
            product: ProductRef, device: Digest, name: String, system: DeviceSystem?, reportedAt: Timestamp,
            retainedUntil: Timestamp
        ) {
            self.product = product
            self.device = device
            self.name = name
            self.system = system
            self.reportedAt = reportedAt
            self.retainedUntil = retainedUntil
        }

        fileprivate var report: DeviceReport { DeviceReport(name: name, system: system) }

        /// Returns the row with the removal date that follows from its trial, which the vendor has changed.
        public func retained(for trial: Trial, under product: Product) -> Device {
            Device(
                product: self.product, device: device, name: name, system: system, reportedAt: reportedAt,
                retainedUntil: trial.end(under: product).adding(days: Self.retentionDays))
        }
    }
}

extension Product {
    /// Decides what to store of a name and system that a device reports with its trial request.
    ///
    /// Returns `nil` if the stored row stays as it is. That is the case if the report contains nothing new, or if the
    /// last change was less than an hour ago. It's also the case if the trial ended so long ago that the row would be
    /// removed.
    ///
    /// - Parameter stored: The device's row, if any.
    public func reportedDevice(
        of trial: Trial, _ report: DeviceReport, stored: Trial.Device?, at now: Timestamp
    ) -> Trial.Device? {
        guard report.name != nil || report.system != nil else { return nil }
        let report = stored.map { report.adding($0.report) } ?? report
        let reported = Trial.Device(
            product: trial.product, device: trial.device, name: report.name ?? "", system: report.system,
            reportedAt: now,
            retainedUntil: trial.end(under: self).adding(days: Trial.Device.retentionDays))
        guard now < reported.retainedUntil else { return nil }
        guard let stored else { return reported }
        // Bytes are compared, because Swift treats composed and decomposed letters as equal.
        let isSame =
            stored.name.utf8.elementsEqual(reported.name.utf8) && stored.system == reported.system
            && stored.retainedUntil == reported.retainedUntil
        if isSame { return nil }
        return stored.reportedAt.seconds(until: now) >= Trial.Device.pause ? reported : nil
    }
}
