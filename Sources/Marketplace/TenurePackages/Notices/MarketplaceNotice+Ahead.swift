import TenureCore
import TenureMarketplace

extension MarketplaceNotice {
    /// When to act on an opening whose own time is later than its receipt.
    ///
    /// Returns `nil` for every other notification, and once that time has come.
    ///
    /// - Parameter receipt: When it arrived, in microseconds since 1970.
    func wait(afterReceipt receipt: Int64, at now: Timestamp) -> Timestamp? {
        guard opens == true, isAhead(ofReceipt: receipt), let moment else { return nil }
        let time = Timestamp(seconds: (moment - 1) / 1_000_000 + 1)
        return now < time ? time : nil
    }

    /// When a closing takes effect whose own time is later than its receipt, in microseconds since 1970.
    ///
    /// Returns `nil` for every other notification.
    func counted(receivedAt receipt: Int64, over standing: AppAvailability) -> Int64? {
        guard opens == false, isAhead(ofReceipt: receipt), let moment else { return nil }
        return standing.moment(ofClosingAhead: moment, receivedAt: receipt, of: packages)
    }
}

extension PackageImport {
    /// Whether a takedown still has something to stop.
    var isUnderWay: Bool { state != .ready && state != .withdrawn }

    /// Whether its app or its package is closed everywhere.
    func isWithdrawn(in standing: AppAvailability) -> Bool {
        standing.app.isWithdrawn || package.flatMap { standing.packages[$0]?.isWithdrawn } ?? false
    }
}
