import TenureCore
import TenureCrypto
import TenureEngines
import TenureFormats
import TenureHTTP
import TenureServerKit

extension MarketplaceDialect {
    /// Issues licenses for apps and versions that are new to the device (seed 000).
    ///
    /// Apps that are not licensed are listed; why stands in the events. When none is, the answer holds a signed license
    /// without any (`spec/apple.md` (b) 6).
    func respondToLicenses(_ request: Request, _ place: Place) async throws(MarketplaceFailure) -> Response {
        let account = try await account(of: request, at: place)
        let body = try LicenseRequestBody(request)
        let opened = try await open(body.envelope, expecting: .create, at: place)
        let requester = try requester(opened, account: account, at: place)
        let sealed = Set(opened.appleItemIDs.compactMap(AppleItemID.init(number:)))
        let answer = try await failing { () async throws(ServerError) in
            try await issue(body.assets, sealed: sealed, to: requester)
        }
        guard let answer else { throw .noMarketplace }
        var licenses: [AppLicense] = []
        var unlicensed = sealed.subtracting(body.assets.map(\.item)).map(\.description)
        for (asset, outcome) in answer.outcomes {
            switch outcome {
            case .licensed(let license): licenses.append(license)
            case .refused(let refusal):
                unlicensed.append(asset.item.description)
                metrics.recordRefusal(code: refusal.first.code.text)
            }
        }
        let blob = try await write(licenses, in: opened, under: answer.snapshot, at: place)
        return .json(
            JSONWriter.object { body in
                body.member("license", Base64.encode(blob))
                body.member("unlicensedApps", unlicensed.sorted())
            })
    }

    /// Renews what a device asks for; what is not renewed the device no longer starts (seed 001).
    func respondToRenewal(_ request: Request, _ place: Place) async throws(MarketplaceFailure) -> Response {
        let account = try await account(of: request, at: place)
        let body = try RenewalRequestBody(request)
        let opened = try await open(body.envelope, expecting: .renew, at: place)
        let requester = try requester(opened, account: account, at: place)
        var seen: Set<UInt64> = []
        let ids = opened.licenseIDs.filter { seen.insert($0).inserted }
        guard ids.count <= Self.mostLicenses else {
            throw .malformed("/renewalRequest", "asks for \(ids.count) licenses; at most \(Self.mostLicenses) at once")
        }
        let answer = try await failing { () async throws(ServerError) in try await renew(ids, for: requester) }
        guard let answer else { throw .noMarketplace }
        var licenses: [AppLicense] = []
        var ineligible: [String] = []
        for (id, outcome) in answer.outcomes {
            switch outcome {
            case .renewed(let license): licenses.append(license)
            case .ineligible(let refusal):
                ineligible.append(String(id))
                metrics.recordRefusal(code: refusal.first.code.text)
            }
        }
        let blob = try await write(licenses, in: opened, under: answer.snapshot, at: place)
        return .json(
            JSONWriter.object { body in
                body.member("license", Base64.encode(blob))
                body.member("ineligibleLicenses", ineligible)
            })
    }

    /// Licenses that one renewal may name.
    private static let mostLicenses = 1000

    private func open(
        _ envelope: RequestEnvelope, expecting action: AppLicenseAction, at place: Place
    ) async throws(MarketplaceFailure) -> any AppLicenseSession {
        let now = clock.now()
        let opened = try await failing { () async throws(ServerError) in
            try await writer.open(envelope, expecting: action, with: place.keys, at: now)
        }
        guard let opened else { throw .unreadable }
        return opened
    }

    private func requester(
        _ opened: any AppLicenseSession, account: AccountID?, at place: Place
    ) throws(MarketplaceFailure) -> AppRequester {
        guard let device = Digest(SHA256.hash(opened.deviceID)) else { throw .unreadable }
        return AppRequester(tenant: place.tenant, account: account, device: device, request: opened.requestID)
    }

    private func write(
        _ licenses: [AppLicense], in opened: any AppLicenseSession, under snapshot: CatalogSnapshot, at place: Place
    ) async throws(MarketplaceFailure) -> [UInt8] {
        try await failing { () async throws(ServerError) in
            try await writer.write(licenses, in: opened, of: place.tenant, catalogVersion: snapshot.version)
        }
    }
}
