import TenureCore
import TenureFormats
import TenureHTTP
import TenureMarketplace
import TenureServerKit

extension MarketplaceDialect {
    /// Offers exactly the versions that a device had, for example after a backup was restored.
    var restore: Endpoint {
        offers("/marketplace/{tenant}/restore", named: "restores") { requested in
            requested.versions.map { request in
                requested.marketplace.restore(
                    request.item, request.version, written: request.versionText, on: requested.system,
                    right: requested.right(request.item),
                    in: requested.territory, at: requested.now
                ).map { $0 }
            }
        }
    }

    /// Offers newer versions of a device's apps. Apps without a newer version are left out.
    var updates: Endpoint {
        offers("/marketplace/{tenant}/updates", named: "updates") { requested in
            var apps: [AppleItemID: Decision<AppOffer.Updates>] = [:]
            return requested.versions.map { request in
                let app =
                    apps[request.item]
                    ?? requested.marketplace.updates(
                        of: request.item, on: requested.system, right: requested.right(request.item),
                        in: requested.territory,
                        at: requested.now)
                apps[request.item] = app
                return app.map { $0.update(from: request.version) }
            }
        }
    }

    /// Returns the data with which the marketplace app installs an app: the token and the package's URL.
    var installToken: Endpoint {
        let fields = Fields { fields in
            let platform: ApplePlatform? = try fields.optional("platform", .choice)
            let system = try fields.optional("osVersion", .system)
            try fields.refuseOneAlone("platform", "osVersion", (platform == nil) != (system == nil))
            return InstallRequest(
                item: try fields.required("appleItemID", .appleItemID),
                version: try fields.optional("appleVersionID", .appleVersionID),
                isAgain: try fields.optional("redownload", .boolean) ?? false,
                system: platform.flatMap { platform in system.map { AppleSystem(platform: platform, version: $0) } },
                territory: try fields.territory())
        }
        return Endpoint(
            "POST", "/marketplace/{tenant}/install-token", format: .apple, catalog: .current,
            authentication: .device(by: context),
            reads: fields
        ) { [self] call in
            let (request, caller) = (call.input, call.caller.market)
            let issuer = try caller.issuer()
            let right = try await context.offerRights(to: [request.item], of: call.caller)(request.item)
            let decision = caller.marketplace.install(
                request.item, request.version, on: request.system, right: right, in: request.territory,
                at: context.clock.now())
            guard case .granted(let offer) = decision else {
                let refusal = decision.refusal ?? Refusal(.appUnknown(request.item))
                metrics.recordRefusal(code: refusal.first.code.text)
                return .refused(Failure(notInstalling: refusal, request.item))
            }
            let signed = try await context.signOffers(
                [offer], as: request.isAgain ? .again : .first, by: issuer, at: caller)
            return .done(
                .unstored(
                    JSONWriter.object { body in
                        for signedOffer in signed {
                            body.member("installVerificationToken", signedOffer.token)
                            body.addresses(of: signedOffer.offer, at: caller.tenant, under: origin(of: caller))
                            body.member("appleItemID", signedOffer.offer.app.item.description)
                            body.member("appleVersionID", signedOffer.offer.version.id.description)
                            body.member("expiresAt", signedOffer.expiresAt.description)
                        }
                    }))
        }
        .outsideChangeLimit()
    }

    /// Creates an endpoint that decides on each app separately, so that one refusal doesn't affect the others.
    ///
    /// - Parameter decide: Returns the decisions in the order of the requested apps.
    private func offers(
        _ path: String, named name: String, _ decide: @escaping @Sendable (RequestedOffers) -> [Decision<AppOffer?>]
    ) -> Endpoint {
        let fields = Fields(longestBody: 256 << 10) { fields in
            OffersRequest(
                versions: try fields.required("apps", .requestedVersions),
                system: AppleSystem(
                    platform: try fields.required("platform", .choice),
                    version: try fields.required("osVersion", .system)),
                territory: try fields.territory())
        }
        return Endpoint(
            "POST", path, format: .apple, catalog: .current, authentication: .device(by: context), reads: fields
        ) { [self] call in
            let caller = call.caller.market
            let issuer = try caller.issuer()
            let now = context.clock.now()
            var seen: Set<RequestedVersion> = []
            let versions = call.input.versions.filter { seen.insert($0).inserted }
            let rights = try await context.offerRights(to: versions.map(\.item), of: call.caller)
            var offers: [AppOffer] = []
            var failures: [(RequestedVersion, Refusal)] = []
            let requested = RequestedOffers(
                versions: versions, system: call.input.system, right: rights, territory: call.input.territory,
                marketplace: caller.marketplace, now: now)
            for (request, decision) in zip(versions, decide(requested)) {
                switch decision {
                case .granted(let offer): if let offer { offers.append(offer) }
                case .refused(let refusal):
                    metrics.recordRefusal(code: refusal.first.code.text)
                    failures.append((request, refusal))
                }
            }
            // Every refusal is an expired subscription. The status 402 lets the extension lead the user to renew the
            // subscription.
            if let first = failures.first, failures.count == versions.count,
                failures.allSatisfy({ $0.1.first.code == Reason.Kind.subscriptionExpired })
            {
                var failure = Failure(first.1)
                failure.status = 402
                return .refused(failure)
            }
            let signed = try await context.signOffers(offers, as: .again, by: issuer, at: caller)
            let origin = origin(of: caller)
            return .done(
                .unstored(
                    JSONWriter.object { body in
                        body.array(name) { list in
                            for signedOffer in signed {
                                list.object {
                                    $0.offer(signedOffer, isUpdate: name == "updates", at: caller.tenant, under: origin)
                                }
                            }
                        }
                        body.array("failures") { list in
                            for (request, refusal) in failures { list.object { $0.failure(request, refusal) } }
                        }
                    }))
        }
        .outsideChangeLimit()
    }
}

/// The body of a restore or update request.
private struct OffersRequest: Sendable {
    let versions: [RequestedVersion]
    let system: AppleSystem
    let territory: Territory?
}

/// The input for deciding about a device's apps.
private struct RequestedOffers: Sendable {
    let versions: [RequestedVersion]
    let system: AppleSystem
    let right: @Sendable (AppleItemID) -> AppOffer.Right
    let territory: Territory?
    let marketplace: Marketplace
    let now: Timestamp
}

/// The body of an install-token request.
private struct InstallRequest: Sendable {
    let item: AppleItemID
    let version: AppleVersionID?
    let isAgain: Bool
    /// The device's system; `nil` if the request doesn't name it.
    let system: AppleSystem?
    let territory: Territory?
}

extension MarketplaceCaller {
    /// The id of the marketplace's own app, which issues the tokens.
    ///
    /// - Throws: ``Failure`` if the catalog doesn't name the app.
    fileprivate func issuer() throws(Failure) -> AppleItemID {
        guard let item = marketplace.appleItemID else {
            throw Failure(
                RejectedRequest(
                    503, code: "marketplace_not_ready",
                    "The catalog doesn't name the marketplace's own app, so nothing can be installed. Add its "
                        + "\"appleItemID\" to the catalog and apply it.", title: "Not ready"),
                headers: ["Retry-After": "60"])
        }
        return item
    }
}

extension Failure {
    /// Creates the refusal of an installation: status 402 if a purchase or renewal helps, otherwise 404.
    init(notInstalling refusal: Refusal, _ item: AppleItemID) {
        switch refusal.first.code {
        case Reason.Kind.notGranted:
            // If the store may have lost the purchase, the person must not be asked to pay again.
            self = Failure(Refusal(.purchaseRequired(item))).aboutMissingRecord()
            status = 402
        case Reason.Kind.subscriptionExpired:
            self.init(refusal)
            status = 402
        default:
            self.init(refusal)
            status = 404
        }
    }
}

extension Response {
    /// Creates a JSON response that must not be cached, because its tokens are short-lived and personal.
    fileprivate static func unstored(_ body: [UInt8]) -> Response {
        var response = Response.json(body)
        response.headers.add("Cache-Control", "no-store")
        return response
    }
}

extension JSONObjectWriter {
    fileprivate mutating func offer(
        _ signed: SignedOffer, isUpdate: Bool, at tenant: TenantID, under origin: String
    ) {
        member("appleItemId", signed.offer.app.item.description)
        member("appleVersionId", signed.offer.version.id.description)
        if isUpdate {
            member("bundleVersion", signed.offer.version.bundleVersion)
            member("shortVersionString", signed.offer.version.shortVersion)
        }
        addresses(of: signed.offer, at: tenant, under: origin)
        member("installVerificationToken", signed.token)
    }

    fileprivate mutating func addresses(of offer: AppOffer, at tenant: TenantID, under origin: String) {
        let paths = MarketplacePaths(tenant: tenant)
        member("alternativeDistributionPackage", offer.packageURL(orBelow: origin + paths.packages))
        member("appShareURL", offer.app.shareURL ?? origin + paths.product(offer.app.item))
    }

    fileprivate mutating func failure(_ request: RequestedVersion, _ refusal: Refusal) {
        member("appleItemId", request.item.description)
        member("appleVersionId", request.versionText)
        object("failure") { failure in
            failure.member("code", 404)
            failure.member("description", refusal.first.message)
            failure.member("reason", refusal.first.code.text)
        }
    }
}
