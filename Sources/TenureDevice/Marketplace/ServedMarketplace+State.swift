import TenureCore
import TenureFormats
import TenureHTTPClient

extension ServedMarketplace {
    /// Asks, as the marketplace app does, which licenses of the account are to be renewed now: due, stopped or changed.
    ///
    /// - Returns: The ids of the licenses, on whatever device they are.
    /// - Throws: `.refused`, without a valid token too, `.unreachable`, `.badAnswer`.
    package func licensesToRenew(token: String?) async throws(DeviceError) -> Set<UInt64> {
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
