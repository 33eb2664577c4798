import TenureCore
import TenureMarketplace

extension MarketplaceNotice {
    /// When to act on a notification of availability that is dated later than its receipt.
    ///
    /// Returns `nil` for every other notification, and once that time has come.
    ///
    /// - Parameter receipt: When the notification arrived, in microseconds since 1970.
    func wait(afterReceipt receipt: Int64, at now: Timestamp) -> Timestamp? {
        guard opens == true, isAhead(ofReceipt: receipt), let microseconds = time else { return nil }
        let time = Timestamp(seconds: (microseconds - 1) / 1_000_000 + 1)
        return now < time ? time : nil
    }

    /// The time from which a notification of unavailability counts if it is dated later than its receipt, in
    /// microseconds since 1970.
    ///
    /// Returns `nil` for every other notification.
    func counted(receivedAt receipt: Int64, over availability: AppAvailability) -> Int64? {
        guard opens == false, isAhead(ofReceipt: receipt), let microseconds = time else { return nil }
        return availability.time(ofClosingAhead: microseconds, receivedAt: receipt, of: packages)
    }
}

extension PackageImport {
    /// Whether a takedown has to stop the import, because its package is neither served nor already taken down.
    var isUnderWay: Bool { state != .ready && state != .withdrawn }

    /// Whether the import's app or package is unavailable everywhere.
    func isWithdrawn(in availability: AppAvailability) -> Bool {
        availability.app.isWithdrawn || package.flatMap { availability.packages[$0]?.isWithdrawn } ?? false
    }
}
