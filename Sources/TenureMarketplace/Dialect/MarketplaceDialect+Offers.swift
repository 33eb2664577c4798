import TenureCore
import TenureFormats
import TenureHTTP
import TenureServerKit

extension MarketplaceDialect {
    /// Gives a device exactly the versions back that it had, as after a restore from a backup.
    var restore: Endpoint {
        offers("/marketplace/{tenant}/restore", named: "restores") { asked in
            asked.wishes.map { wish in
                asked.marketplace.restore(
                    wish.item, wish.version, written: wish.versionText, on: asked.system, right: asked.right(wish.item),
                    in: asked.territory, at: asked.now
                ).map { $0 }
            }
        }
    }

    /// Tells a device which of its apps have something newer; an app without news is not in the answer.
    var updates: Endpoint {
        offers("/marketplace/{tenant}/updates", named: "updates") { asked in
            var apps: [AppleItemID: Decision<AppUpdates>] = [:]
            return asked.wishes.map { wish in
                let app =
                    apps[wish.item]
                    ?? asked.marketplace.updates(
                        of: wish.item, on: asked.system, right: asked.right(wish.item), in: asked.territory,
                        at: asked.now)
                apps[wish.item] = app
                return app.map { $0.update(from: wish.version) }
            }
        }
    }

    /// Gives the marketplace app what it needs to install one app: the token, and where the package is.
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
            "POST", "/marketplace/{tenant}/install-token", .apple, .checked, admits: .device(by: authenticate),
            reads: fields
        ) { [self] call in
            let (wish, place) = (call.input, call.place.market)
            let issuer = try place.issuer()
            let right = try await offering.rights(to: [wish.item], of: call.place)(wish.item)
            let decision = place.marketplace.install(
                wish.item, wish.version, on: wish.system, right: right, in: wish.territory, at: clock.now())
            guard case .granted(let offer) = decision else {
                let refusal = decision.refusal ?? Refusal(.appUnknown(wish.item))
                metrics.recordRefusal(code: refusal.first.code.text)
                return .refused(Failure(notInstalling: refusal, wish.item))
            }
            let signed = try await offering.sign(
                [offer], as: wish.isAgain ? .again : .first, by: issuer, at: place)
            return .done(
                .unstored(
                    JSONWriter.object { body in
                        for one in signed {
                            body.member("installVerificationToken", one.token)
                            body.place(of: one.offer, at: place.tenant, under: origin(of: place))
                            body.member("appleItemID", one.offer.app.item.description)
                            body.member("appleVersionID", one.offer.version.id.description)
                            body.member("expiresAt", one.expiresAt.description)
                        }
                    }))
        }
        .changing(false)
    }

    /// An endpoint that answers about many apps, each by itself: one that cannot be had never spoils its neighbours.
    /// - Parameter decide: Answers in the order of the wishes.
    private func offers(
        _ path: String, named name: String, _ decide: @escaping @Sendable (OffersAsked) -> [Decision<AppOffer?>]
    ) -> Endpoint {
        let fields = Fields(longestBody: 256 << 10) { fields in
            OffersRequest(
                wishes: try fields.required("apps", .wishes),
                system: AppleSystem(
                    platform: try fields.required("platform", .choice),
                    version: try fields.required("osVersion", .system)),
                territory: try fields.territory())
        }
        return Endpoint(
            "POST", path, .apple, .checked, admits: .device(by: authenticate), reads: fields
        ) { [self] call in
            let place = call.place.market
            let issuer = try place.issuer()
            let now = clock.now()
            var seen: Set<OfferApps.Wish> = []
            let wishes = call.input.wishes.filter { seen.insert($0).inserted }
            let rights = try await offering.rights(to: wishes.map(\.item), of: call.place)
            var offers: [AppOffer] = []
            var failures: [(OfferApps.Wish, Refusal)] = []
            let asked = OffersAsked(
                wishes: wishes, system: call.input.system, right: rights, territory: call.input.territory,
                marketplace: place.marketplace, now: now)
            for (wish, decision) in zip(wishes, decide(asked)) {
                switch decision {
                case .granted(let offer): if let offer { offers.append(offer) }
                case .refused(let refusal):
                    metrics.recordRefusal(code: refusal.first.code.text)
                    failures.append((wish, refusal))
                }
            }
            // Nothing but a subscription stands in the way: the extension can lead the person to it.
            if let first = failures.first, failures.count == wishes.count,
                failures.allSatisfy({ $0.1.first.code == Reason.Kind.subscriptionExpired })
            {
                var failure = Failure(first.1)
                failure.status = 402
                return .refused(failure)
            }
            let signed = try await offering.sign(offers, as: .again, by: issuer, at: place)
            let origin = origin(of: place)
            return .done(
                .unstored(
                    JSONWriter.object { body in
                        body.array(name) { list in
                            for one in signed {
                                list.object {
                                    $0.offer(one, isUpdate: name == "updates", at: place.tenant, under: origin)
                                }
                            }
                        }
                        body.array("failures") { list in
                            for (wish, refusal) in failures { list.object { $0.failure(wish, refusal) } }
                        }
                    }))
        }
        .changing(false)
    }
}

/// Which apps a device asks about.
private struct OffersRequest: Sendable {
    let wishes: [OfferApps.Wish]
    let system: AppleSystem
    let territory: Territory?
}

/// All that is known when a device's wishes are decided on.
private struct OffersAsked: Sendable {
    let wishes: [OfferApps.Wish]
    let system: AppleSystem
    let right: @Sendable (AppleItemID) -> OfferRight
    let territory: Territory?
    let marketplace: Marketplace
    let now: Timestamp
}

/// Which app is to be installed.
private struct InstallRequest: Sendable {
    let item: AppleItemID
    let version: AppleVersionID?
    let isAgain: Bool
    /// What the device says of itself; nil for nothing.
    let system: AppleSystem?
    let territory: Territory?
}

extension MarketplacePlace {
    /// The number of the marketplace's own app, which signs for it. Throws ``Failure`` where the catalog names none.
    fileprivate func issuer() throws(Failure) -> AppleItemID {
        guard let item = marketplace.appleItemID else {
            throw Failure(
                TurnedAway(
                    503, code: "marketplace_not_ready",
                    "The marketplace names no app of its own, so that nothing can be installed from it. Add its "
                        + "\"appleItemID\" to the catalog and apply it.", title: "Not ready"),
                headers: ["Retry-After": "60"])
        }
        return item
    }
}

extension Failure {
    /// A no to an installation: 402 where paying helps, 404 for everything else.
    init(notInstalling refusal: Refusal, _ item: AppleItemID) {
        switch refusal.first.code {
        case Reason.Kind.notGranted:
            self.init(Refusal(.purchaseRequired(item)))
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
    /// A JSON answer that nobody may keep: its tokens are of this moment and this person.
    fileprivate static func unstored(_ body: [UInt8]) -> Response {
        var response = Response.json(body)
        response.headers.add("Cache-Control", "no-store")
        return response
    }
}

extension JSONObjectWriter {
    fileprivate mutating func offer(
        _ signed: OfferApps.Signed, isUpdate: Bool, at tenant: TenantID, under origin: String
    ) {
        member("appleItemId", signed.offer.app.item.description)
        member("appleVersionId", signed.offer.version.id.description)
        if isUpdate {
            member("bundleVersion", signed.offer.version.bundleVersion)
            member("shortVersionString", signed.offer.version.shortVersion)
        }
        place(of: signed.offer, at: tenant, under: origin)
        member("installVerificationToken", signed.token)
    }

    fileprivate mutating func place(of offer: AppOffer, at tenant: TenantID, under origin: String) {
        let paths = MarketplacePaths(tenant: tenant)
        member("alternativeDistributionPackage", offer.packageURL(orBelow: origin + paths.packages))
        member("appShareURL", offer.app.shareURL ?? origin + paths.product(offer.app.item))
    }

    fileprivate mutating func failure(_ wish: OfferApps.Wish, _ refusal: Refusal) {
        member("appleItemId", wish.item.description)
        member("appleVersionId", wish.versionText)
        object("failure") { failure in
            failure.member("code", 404)
            failure.member("description", refusal.first.message)
            failure.member("reason", refusal.first.code.text)
        }
    }
}
