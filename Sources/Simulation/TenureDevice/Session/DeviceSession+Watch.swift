import FoundationEssentials
import TenureCore
import TenureHTTP
import TenureHTTPClient
import TenureMarketplaceClient

extension DeviceSession {
    /// Renews licenses as the marketplace app does when it starts and once a day.
    ///
    /// The app requests the account's licenses that have become due since the last request. Of these, it renews the
    /// licenses of apps on this device.
    ///
    /// - Parameter isStart: Whether the user opened the app; otherwise nothing is sent within a day of the last
    ///   response.
    /// - Throws: ``DeviceError``, such as `.refused` without an account's token. Renewals that haven't been requested
    ///   are kept for the next call.
    mutating func watchLicenses(isStart: Bool, at now: Timestamp) async throws(DeviceError) -> Renewal {
        var all = try await watchLicenses(of: device.account, isStart: isStart, at: now)
        for account in device.otherAccounts where requester(for: account).access != nil {
            // An account whose token no longer works must not keep the current account's licenses from being renewed.
            guard let more = try? await watchLicenses(of: account, isStart: isStart, at: now) else { continue }
            all.add(more)
        }
        return all
    }

    private mutating func watchLicenses(
        of account: AccountID?, isStart: Bool, at now: Timestamp
    ) async throws(DeviceError) -> Renewal {
        let key = account ?? Device.placeholderAccount
        var watch = device.watches[key] ?? LicenseWatch()
        var all = Renewal(renewed: [], ineligible: [], unanswered: [])
        guard watch.isDue(isStart: isStart, at: now) else { return all }
        let installed = Set(device.apps.filter { $0.account == nil || $0.account == account }.map(\.item))
        var step = LicenseWatch.Step.askAgain
        while step == .askAgain {
            let news = try await marketplace.news(since: watch.cursor, for: requester(for: account))
            step = watch.take(news, installed: installed, at: now)
            device.watches[key] = watch
        }
        while case .renew(let items) = step {
            all.add(try await renew(items, at: now))
            step = watch.didRequest(items)
            device.watches[key] = watch
        }
        return all
    }
}

extension DeviceSession.Renewal {
    fileprivate mutating func add(_ other: DeviceSession.Renewal) {
        self = DeviceSession.Renewal(
            renewed: renewed + other.renewed, ineligible: ineligible + other.ineligible,
            unanswered: unanswered + other.unanswered)
    }
}

extension ServedMarketplace {
    /// Requests the list of apps to renew from the state endpoint, which only Tenure's server has.
    fileprivate func news(since cursor: String, for requester: RequestingDevice) async throws(DeviceError)
        -> LicenseNews
    {
        let url =
            try await configuration().standard.dynamicLicenseURL + "/state?since=\(PercentEncoding.encode(cursor))"
        let answer = try await send(.get(url), as: requester)
        guard answer.status == 200 else {
            throw DeviceError(answer, to: "The request for due renewals", for: requester)
        }
        guard let news = try? JSONDecoder().decode(LicenseNews.self, from: Data(answer.body.bytes)) else {
            throw DeviceError(.badAnswer, "The marketplace's response about due renewals can't be read.")
        }
        return news
    }
}

extension LicenseWatch {
    /// Creates a watch from the text that ``text`` returned; `nil` if the text can't be read.
    init?(text: String) {
        guard let watch = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = watch
    }

    /// The watch as JSON text, which the device's file stores; `nil` if encoding fails.
    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
