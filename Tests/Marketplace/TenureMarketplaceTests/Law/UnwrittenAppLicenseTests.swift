import TenureCore
import TenureMarketplace
import Testing

/// Licenses that were issued or renewed, but couldn't be written for their device.
@Suite struct UnwrittenAppLicenseTests {
    private let now = GivenApps.now
    private let key = GivenApps.device(9)

    @Test
    func `an app license that couldn't be written is returned, and the licenses that it replaced are current again`()
        throws
    {
        let market = GivenApps.marketplace(GivenApps.app())
        let right = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone])
        let (issued, consequences) = try #require(
            market.issue(
                GivenApps.wish(), to: GivenApps.requester(), right: right, earlier: [GivenApps.license()], at: now
            ).outcome)
        let replaced = Array(consequences.licenses.dropFirst())
        let result = issued.unwritten(.new(replacing: replaced), key: key, at: now)
        #expect(result.licenses.map(\.recordedState) == [.returned, .active])
        #expect(result.licenses.map(\.isReplaced) == [true, false])
        #expect(result.licenses[0].isUndelivered && !result.licenses[0].isDeviceActive(at: now))
        #expect(result.licenses[0].countsUntil == nil)
        #expect(result.events.map(\.kind) == [.appLicenseRefused])
        let again = market.issue(
            GivenApps.wish(), to: GivenApps.requester(), right: right, earlier: result.licenses, at: now)
        #expect(again.refusal?.reasons.map(\.code) == [.licenseReturned])
        let next = market.issue(
            GivenApps.wish(), to: GivenApps.requester(9), right: right, earlier: result.licenses, at: now)
        #expect(next.outcome?.license.recordedState == .active)
    }

    @Test func `an app license stays active if the response that repeats it couldn't be written`() {
        let license = GivenApps.license()
        let result = license.unwritten(.repeated, key: key, at: now)
        #expect(result.licenses.map(\.recordedState) == [.active] && result.licenses[0].failedAt == now)
        #expect(result.events.map(\.kind) == [.appLicenseRefused])
        let renewal = license.unwrittenRenewal(for: 2, before: nil, key: key, at: now)
        #expect(renewal.licenses == result.licenses && renewal.events.map(\.kind) == [.appLicenseIneligible])
        for state in [LifecycleState.revoked, .returned] {
            let stopped = GivenApps.license(state).unwritten(.new(replacing: []), key: key, at: now)
            #expect(stopped.licenses.isEmpty && stopped.events.count == 1, "the earlier decision stands")
        }
        let suspended = GivenApps.license(.suspended).unwritten(.new(replacing: []), key: key, at: now)
        #expect(suspended.licenses.map(\.recordedState) == [.suspended])
    }

    @Test func `app licenses of overlapping requests that couldn't be written all end as returned, in either order`()
        throws
    {
        let market = GivenApps.marketplace(GivenApps.app())
        let right = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone])
        let delivered = GivenApps.license()
        let first = try #require(
            market.issue(
                GivenApps.wish(), to: GivenApps.requester(2), right: right, earlier: [delivered], at: now
            ).outcome)
        let wish = AppLicense.Request(
            asset: GivenApps.asset, hasKey: true, newID: try #require(LicenseID(number: 44)), draw: 0)
        let second = try #require(
            market.issue(
                wish, to: GivenApps.requester(3), right: right, earlier: first.consequences.licenses, at: now
            ).outcome)
        for order in [[2, 3], [3, 2]] as [[UInt64]] {
            var stored = Dictionary(
                (first.consequences.licenses + second.consequences.licenses).map { ($0.id, $0) },
                uniquingKeysWith: { $1 })
            for request in order {
                let (issued, consequences) = request == 2 ? first : second
                let replaced = consequences.licenses.filter { $0.id != issued.id }.compactMap { stored[$0.id] }
                let result = try #require(stored[issued.id]).unwritten(.new(replacing: replaced), key: key, at: now)
                for license in result.licenses { stored[license.id] = license }
            }
            #expect(stored.values.filter { $0.isDeviceActive(at: now) }.map(\.id) == [delivered.id], "\(order)")
            #expect(stored.values.filter(\.isUndelivered).count == 2, "\(order)")
            #expect(stored.values.currentOfEachDevice.map(\.id) == [delivered.id], "\(order)")
        }
    }

    @Test func `a renewal that couldn't be written restores the app license's earlier term`() throws {
        let before = GivenApps.license()
        let app = GivenApps.app()
        func renew(_ license: AppLicense, request: UInt64) throws -> AppLicense {
            let renewal = license.renew(
                for: GivenApps.requester(request), of: app,
                right: AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone]), access: .token,
                hasKey: true, draw: 0, at: now)
            guard case .renewed(let renewed, _) = renewal else { throw Unexpected(renewal: renewal) }
            return renewed
        }
        let renewed = try renew(before, request: 2)
        let result = try #require(
            renewed.unwrittenRenewal(for: 2, before: before, key: key, at: now).licenses.first)
        #expect(result.term == before.term && result.termRequest == before.termRequest)
        #expect(result.failedAt == now && result.failedKey == key)
        #expect(try renew(result, request: 3).failedKey == nil)
        // Once a later request has renewed the license, the failure of the first renewal keeps the later term.
        let later = try renew(renewed, request: 3)
        #expect(
            later.unwrittenRenewal(for: 2, before: before, key: key, at: now).licenses.map(\.term) == [later.term])
    }

    private struct Unexpected: Error { let renewal: AppRenewal }

    @Test func `the explanation of an active or undelivered app license names an unusable app key`() {
        let right = AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone])
        func codes(_ license: AppLicense, isKeyUnusable: Bool) -> [Reason.Kind] {
            license.explain(
                of: GivenApps.app(), right: right, access: .token, hasKey: true, isKeyUnusable: isKeyUnusable, at: now
            ).reasons.map(\.code)
        }
        #expect(codes(GivenApps.license(), isKeyUnusable: false) == [])
        #expect(codes(GivenApps.license(), isKeyUnusable: true) == [.appKeyUnusable])
        #expect(codes(GivenApps.license(.revoked), isKeyUnusable: true) == [.licenseRevoked])
        #expect(codes(GivenApps.license(.returned), isKeyUnusable: true) == [.licenseReturned])
        let issued = GivenApps.license()
        let undelivered = issued.unwritten(.new(replacing: []), key: key, at: now).licenses[0]
        #expect(codes(undelivered, isKeyUnusable: false) == [.appKeyUnusable])
        #expect(!undelivered.hasNewer)
    }

    @Test(arguments: [
        (LifecycleState.revoked, true, "`tenure account grant ada --item 100 --again`"),
        (.revoked, false, "The account was deleted"), (.active, true, "`tenure account grant ada --item 100`"),
        (.active, false, "`tenure account delete ada`"),
    ]) func `the remedy for an app license without a grant is to grant the app, unless the account was deleted`(
        state: LifecycleState, isAccountOpen: Bool, remedy: String
    ) {
        let license = GivenApps.license(state)
        let right = AppGrant.Right(grant: nil, active: [])
        let explanation = license.explain(
            of: GivenApps.app(), right: right, access: .token, hasKey: true, isAccountOpen: isAccountOpen, at: now
        ).forVendor(of: license, isAccountOpen: isAccountOpen)
        #expect(explanation.reasons.first?.cure.contains(remedy) == true)
    }

    @Test(arguments: [Marketplace.Access.open, .token])
    func `an app license of a deleted account isn't renewed, even before the deletion revoked it`(
        access: Marketplace.Access
    ) {
        let renewal = GivenApps.license().renew(
            for: GivenApps.requester(), of: GivenApps.app(),
            right: AppGrant.Right(grant: GivenApps.grant(), active: [GivenApps.phone]), access: access,
            hasKey: true, isAccountOpen: false, draw: 0, at: now)
        guard case .ineligible(let refusal, _) = renewal else {
            Issue.record("\(renewal)")
            return
        }
        #expect(refusal.reasons.map(\.code) == [.licenseRevoked])
    }
}
