import TenureCore
import TenureFormats
import TenureHTTP

extension ServedMarketplace {
    /// Requests the ids of the fleet's licenses that should be renewed now.
    ///
    /// All devices of a fleet share one account, so license ids tell them apart. Real marketplace apps don't see
    /// license ids; each app requests the news of its own account (``DeviceSession/watchLicenses(isStart:at:)``).
    ///
    /// - Throws: `.refused` (also without a valid token), `.unreachable` or `.badAnswer`.
    func fleetNews(token: String?) async throws(DeviceError) -> Set<UInt64> {
        let url = try await configuration().standard.dynamicLicenseURL + "/state"
        var ids: Set<UInt64> = []
        var cursor = "0"
        var hasMore = true
        while hasMore {
            let answer = try await send(.get("\(url)?since=\(cursor)", headers: .bearer(token)))
            guard answer.status == 200 else { throw DeviceError(answer, to: "The request for due renewals") }
            guard let members = try? FlatObject(scanning: answer.body.bytes), let next = members.string("cursor").value,
                let licenses = members.objects("licenses").value
            else { throw DeviceError(.badAnswer, "The marketplace's response about due renewals can't be read.") }
            for license in licenses where license.string("cause").value != nil {
                if let id = license.identifier("licenseID").value { ids.insert(id) }
            }
            hasMore = members.boolean("hasMore").value == true && next != cursor
            cursor = next
        }
        return ids
    }
}
