import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureServerKit
import TenureStore

extension MarketplaceDialect {
    /// Issues licenses for apps and versions that are new to the device.
    ///
    /// The response lists the apps that got no license; their events contain the reasons. If no app got a license, the
    /// response contains an empty signed license (Apple's documentation).
    var licenses: Endpoint {
        let fields = Fields(longestBody: Self.longestBody) { fields in try fields.licenseRequest() }
        return endpoint("/marketplace/{tenant}/licenses", reads: fields) { [self] call in
            let caller = call.caller.market
            let opened = try await open(call.input.envelope, expecting: .create, at: caller)
            let sealed = Set(opened.appleItemIDs.compactMap(AppleItemID.init(number:)))
            let assets = call.input.assets
            let source = proxies.source(of: call.request)
            let requester = try requester(opened, call.caller)
            try rate.admit(apps: assets.count, to: requester, at: context.clock.now())
            let answer = try await context.issueAppLicenses(
                assets, sealed: sealed, to: requester,
                from: source.map { .from($0) } ?? .unknown(request: call.request.id), as: call.request.id,
                limits: limits)
            guard let answer else { throw Failure.noMarketplace }
            var licenses: [AppLicense] = []
            var issuances: [LicenseID: AppLicense.Issuance] = [:]
            var refusals: [Refusal] = []
            var unlicensed = sealed.subtracting(assets.map(\.item)).map(\.description)
            for (asset, outcome) in answer.outcomes {
                switch outcome {
                case .licensed(let license, let issuance):
                    licenses.append(license)
                    issuances[license.id] = issuance
                case .refused(let refusal):
                    unlicensed.append(asset.item.description)
                    refusals.append(refusal)
                    metrics.recordRefusal(code: refusal.first.code.text)
                }
            }
            if licenses.isEmpty, refusals.contains(where: { $0.first.code == .appNotGranted }) {
                // If the store has lost records, a grant for the app may be among them.
                try context.catalog.checkLoss()
            }
            // With a failure status, the system lets the extension lead the user to the payment (Apple's
            // documentation). If the encrypted part names further apps, those have another obstacle, so the status
            // isn't 402.
            if licenses.isEmpty, refusals.count == unlicensed.count, let unpaid = Refusal.unpaid(refusals) {
                var failure = Failure(unpaid)
                failure.status = 402
                return .refused(failure)
            }
            let failed = try await add(licenses, to: opened, under: answer.snapshot, at: caller)
            // If signing fails, the device repeats the request and must not find these licenses as issued before.
            try await context.takeBackIssued(
                failed.map { ($0, issuances[$0.id] ?? .repeated) }, of: caller.tenant, limit: limits.refused)
            unlicensed += failed.map(\.item.description)
            let blob = try await writer.sign(opened)
            return .done(
                .json(
                    JSONWriter.object(room: Self.room(for: blob)) { body in
                        body.member("license", base64: blob)
                        body.member("unlicensedApps", unlicensed.sorted())
                    }))
        }
    }

    /// Renews licenses. The status is 200 even if no license is renewed. A device no longer starts the apps of
    /// ineligible licenses.
    ///
    /// A license that the store may have lost is listed neither as renewed nor as ineligible, so the device keeps it
    /// until it expires.
    var renewal: Endpoint {
        let fields = Fields(longestBody: Self.longestBody) { fields in try fields.envelope(in: "renewalRequest") }
        return endpoint("/marketplace/{tenant}/licenses/renew", reads: fields) { [self] call in
            let caller = call.caller.market
            let opened = try await open(call.input, expecting: .renew, at: caller)
            let (ids, requester) = try licenses(in: opened, for: call.caller)
            try rate.admit(renewals: ids.count, of: requester, at: context.clock.now())
            guard let answer = try await context.renewAppLicenses(ids, for: requester) else {
                throw Failure.noMarketplace
            }
            let (licenses, before, refused) = split(answer)
            let failed = try await add(licenses, to: opened, under: answer.snapshot, at: caller)
            try await context.takeBackRenewed(
                failed.map { ($0, before[$0.id]) }, for: requester, limit: limits.refused)
            let ineligible = refused + failed.map { String($0.id.number) }
            let blob = try await writer.sign(opened)
            return .done(
                .json(
                    JSONWriter.object(room: Self.room(for: blob)) { body in
                        body.member("license", base64: blob)
                        body.member("ineligibleLicenses", ineligible)
                    }))
        }
        .outsideChangeLimit()
    }

    /// The ids of the licenses that a request wants to renew, without duplicates, and the requester.
    private func licenses(
        in opened: any AppLicenseSession, for caller: DeviceCaller
    ) throws(Failure) -> (ids: [UInt64], requester: AppLicense.Requester) {
        let requester = try requester(opened, caller)
        var seen = Set<UInt64>(minimumCapacity: opened.licenseIDs.count)
        let ids = opened.licenseIDs.filter { seen.insert($0).inserted }
        guard ids.count <= Self.mostLicenses else {
            throw Failure(
                FieldFault(
                    "renewalRequest", .other("must list at most \(Self.mostLicenses) licenses, not \(ids.count)")))
        }
        return (ids, requester)
    }

    /// Splits the outcomes into renewed licenses, their states before, and the ids of refused licenses; counts the
    /// refusals.
    private func split(
        _ answer: AppRenewals
    ) -> (renewed: [AppLicense], before: [LicenseID: AppLicense], ineligible: [String]) {
        var licenses: [AppLicense] = []
        var before: [LicenseID: AppLicense] = [:]
        var ineligible: [String] = []
        licenses.reserveCapacity(answer.outcomes.count)
        for (id, outcome) in answer.outcomes {
            switch outcome {
            case .renewed(let license, let earlier):
                licenses.append(license)
                before[license.id] = earlier
            case .ineligible(let refusal):
                ineligible.append(String(id))
                metrics.recordRefusal(code: refusal.first.code.text)
            case .missing:
                // The format can't express "try again later". Without an entry, the device keeps the license until its
                // end.
                continue
            }
        }
        return (licenses, before, ineligible)
    }

    /// The capacity, in bytes, for a response without ineligible licenses.
    private static func room(for blob: [UInt8]) -> Int { (blob.count + 2) / 3 * 4 + 64 }

    /// The maximum length of a request body in bytes; 200 apps or 1,000 licenses need much less.
    private static let longestBody = 256 << 10

    /// The maximum number of licenses in one renewal request.
    private static let mostLicenses = 1000

    private func endpoint<Input: Sendable>(
        _ path: String, reads fields: Fields<Input>,
        _ action: @escaping @Sendable (Call<DeviceCaller, Input>) async throws -> Endpoint.Conclusion
    ) -> Endpoint {
        Endpoint(
            "POST", path, format: .apple, catalog: .current, authentication: .device(by: context), reads: fields,
            action)
    }

    private func open(
        _ envelope: RequestEnvelope, expecting action: AppLicenseAction, at caller: MarketplaceCaller
    ) async throws -> any AppLicenseSession {
        let opened = try await writer.open(envelope, expecting: action, at: caller, context.clock.now())
        guard let opened else { throw Failure.envelopeUnreadable }
        return opened
    }

    private func requester(
        _ opened: any AppLicenseSession, _ caller: DeviceCaller
    ) throws(Failure) -> AppLicense.Requester {
        guard let device = Digest(SHA256.hash(opened.deviceID)) else { throw .envelopeUnreadable }
        return AppLicense.Requester(
            tenant: caller.market.tenant, account: caller.account, device: device, request: opened.requestID)
    }

    /// Adds licenses to the response, and returns and counts those that can't be written.
    private func add(
        _ licenses: [AppLicense], to opened: any AppLicenseSession, under snapshot: CatalogSnapshot,
        at caller: MarketplaceCaller
    ) async throws(ServerError) -> [AppLicenseWriter.Unwritten] {
        let unwritten = try await writer.add(
            licenses, to: opened, of: caller.tenant, catalogVersion: snapshot.version)
        for _ in unwritten { metrics.recordRefusal(code: Reason.Kind.appKeyUnusable.text) }
        return unwritten
    }
}
