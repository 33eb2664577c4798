import TenureCore
import TenureFormats
import TenureHTTPClient

extension ServedMarketplace {
    /// Asks which licenses of a fleet's one account are to be renewed now.
    ///
    /// All devices of a fleet are one account's, and it tells them apart by the ids of licenses, which no real app sees: each
    /// of those asks for itself (``DeviceSession/watchLicenses(isStart:at:)``).
    /// - Throws: `.refused`, without a valid token too, `.unreachable`, `.badAnswer`.
    func fleetNews(token: String?) async throws(DeviceError) -> Set<UInt64> {
        let url = try await configuration().standard.dynamicLicenseURL + "/state"
        var ids: Set<UInt64> = []
        var cursor = "0"
        var hasMore = true
        while hasMore {
            let answer = try await ask(.get("\(url)?since=\(cursor)", fields: .bearer(token)))
            guard answer.status == 200 else { throw DeviceError(answer, to: "The question what to renew") }
            guard let members = try? FlatObject(scanning: answer.body), let next = members.string("cursor").value,
                let licenses = members.objects("licenses").value
            else { throw DeviceError(.badAnswer, "The marketplace's answer on what to renew cannot be read.") }
            for license in licenses where license.string("cause").value != nil {
                if let id = license.identifier("licenseID").value { ids.insert(id) }
            }
            hasMore = members.boolean("hasMore").value == true && next != cursor
            cursor = next
        }
        return ids
    }
}
