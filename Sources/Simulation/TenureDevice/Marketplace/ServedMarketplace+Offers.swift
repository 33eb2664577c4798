import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplaceClient

/// The data that a marketplace app needs for an install: the app's version, a token and the package's URL.
struct InstallOffer: Sendable, Hashable {
    let item: AppleItemID
    let version: AppleVersionID
    /// The install verification token that the system requires.
    let token: String
    /// The base URL of the package's files.
    let package: String
}

extension DeviceSession {
    /// Requests an app as the marketplace app does when a user taps the app's button, and decides whether to confirm
    /// the install.
    ///
    /// - Throws: `.notAvailable`, `.paymentNeeded`, `.refused`, `.badAnswer` or `.unreachable`.
    mutating func offer(
        of item: AppleItemID, version: AppleVersionID?, at now: Timestamp
    ) async throws(DeviceError) -> InstallOffer {
        let account = device.accountOrPlaceholder
        let answer = try await marketplace.offer(of: item, version, to: device, for: currentRequester)
        let token = answer.offer.map {
            GivenInstallToken(account: account, item: item, text: $0.token, receivedAt: now)
        }
        let decision = InstallConfirmation.decide(
            item, for: account, grant: answer.grant, payment: .notAsked, token: token, at: now)
        switch (decision, answer.offer) {
        case (.confirmed, let offer?): return offer
        case (.payFirst, _):
            throw DeviceError(.paymentNeeded, "App \(item) must be purchased first.", problem: answer.problem)
        case (.cancel, _):
            throw DeviceError(
                .notAvailable, "The marketplace has no app \(item) for this account and device.", as: .cancelled,
                problem: answer.problem)
        default:
            throw DeviceError(
                .badAnswer, "The marketplace's response has no install token.", as: .missingInstallVerificationToken)
        }
    }
}

extension ServedMarketplace {
    fileprivate struct OfferAnswer {
        var offer: InstallOffer?
        var grant: InstallConfirmation.Grant
        var problem: ServerProblem?
    }

    /// Requests an install token from an endpoint that only Tenure's server has.
    ///
    /// The endpoint's URL is derived from the marketplace's license endpoint. A license endpoint that overrides it for
    /// this app may be on another server.
    fileprivate func offer(
        of item: AppleItemID, _ version: AppleVersionID?, to device: Device, for requester: RequestingDevice
    ) async throws(DeviceError) -> OfferAnswer {
        let url = try await configuration().standard.sibling("install-token")
        let body = JSONWriter.object { body in
            body.member("appleItemID", item.description)
            body.member("appleVersionID", version?.description)
            body.member("redownload", device.memory.isRedownload(item))
            body.member("platform", device.platform)
            body.member("osVersion", device.systemVersion)
        }
        let answer = try await send(.post(url, json: body), as: requester)
        let problem = ServerProblem(answer)
        switch answer.status {
        case 200: break
        case 402: return OfferAnswer(grant: .forSale, problem: problem)
        case 404 where answer.isJSON: return OfferAnswer(grant: .unavailable, problem: problem)
        default: throw DeviceError(answer, to: "The request for an install token", for: requester)
        }
        guard let members = try? FlatObject(scanning: answer.body.bytes),
            let token = members.string("installVerificationToken").value,
            let package = members.string("alternativeDistributionPackage").value,
            let found = members.identifier("appleVersionID").value.flatMap({ AppleVersionID(number: $0) })
        else { return OfferAnswer(grant: .granted, problem: problem) }
        return OfferAnswer(
            offer: InstallOffer(item: item, version: found, token: token, package: package), grant: .granted)
    }
}

extension ServedConfiguration.Places {
    /// Returns the URL of an endpoint next to the license endpoint, for endpoints that the configuration doesn't name.
    func sibling(_ name: String) -> String {
        "\(dynamicLicenseURL.cut(atLastByte: "/")?.before ?? dynamicLicenseURL[...])/\(name)"
    }
}
