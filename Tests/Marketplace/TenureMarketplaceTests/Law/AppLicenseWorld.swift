import TenureCore
import TenureMarketplace
import Testing

/// One account with three devices and two apps, and random actions on them.
///
/// The world keeps the result of each decision as the server's store would, and checks the invariants after each step.
struct AppLicenseWorld {
    static let items = [AppleItemID(number: 100)!, AppleItemID(number: 200)!]
    static let limit = 2
    private static let key = GivenApps.device(9)

    private let rules: AppLicense.Rules
    private let marketplace: Marketplace
    private var now = GivenApps.now
    private(set) var licenses: [LicenseID: AppLicense] = [:]
    private var grants: [AppleItemID: AppGrant] = [:]
    private var requests: [(requester: AppLicense.Requester, item: AppleItemID)] = []
    private var renewed: [(request: UInt64, license: LicenseID)] = []
    private var lastNumber: UInt64 = 0
    /// The actions so far, for failure messages.
    private(set) var story: [String] = []

    init(durationDays: Int?) {
        let rules = AppLicense.Rules(durationDays: durationDays, deviceLimit: Self.limit, renewAfterExpiryDays: 20)
        self.rules = rules
        let version = AppVersion(
            id: GivenApps.version, shortVersion: "1.0", bundleVersion: "1", keyedAssets: [GivenApps.asset.asset])
        let apps = Self.items.map { MarketplaceApp(item: $0, rules: rules, versions: [version.id: version]) }
        marketplace = Marketplace(
            name: "Mart", domain: "mart.example", access: .token,
            apps: Dictionary(uniqueKeysWithValues: apps.map { ($0.item, $0) }))
    }

    /// Performs one random action and checks the invariants.
    mutating func step(using random: inout some RandomNumberGenerator) throws {
        let item = Self.items.randomElement(using: &random) ?? Self.items[0]
        let some = licenses.keys.sorted().randomElement(using: &random)
        let draw = Int.random(in: -1000...1000, using: &random)
        switch Int.random(in: 0..<21, using: &random) {
        case 0..<5: try issue(item, on: GivenApps.device(.random(in: 1...3, using: &random)), draw: draw)
        case 5: try askAgain(requests.randomElement(using: &random), draw: draw)
        case 6..<10: if let some { try renew(some, request: next(), draw: draw) }
        case 10: if let again = renewed.randomElement(using: &random) { try renewAgain(again, draw: draw) }
        case 11..<15:
            let act = AppLicense.Act.allCases.randomElement(using: &random) ?? .suspend
            if let some { try perform(act, on: some) }
        case 15..<18: grantOrEnd(item, using: &random)
        case 18: try issueUndelivered(item, on: GivenApps.device(.random(in: 1...3, using: &random)), draw: draw)
        case 19: if let some { try renewUnwritten(some, draw: draw) }
        default: pass(seconds: [1, 3_600, 86_400, 9 * 86_400, 31 * 86_400].randomElement(using: &random) ?? 1)
        }
        try checkAlways()
    }

    private mutating func issue(_ item: AppleItemID, on device: Digest, draw: Int) throws {
        let requester = GivenApps.requester(next(), device: device)
        story.append("issue \(item) on \(device.bytes[0])")
        guard let license = try send(requester, item, draw: draw) else { return }
        requests.append((requester, item))
        try checkTerm(license)
        #expect(try send(requester, item, draw: -draw, expectingNoChange: true) == license, "\(story)")
    }

    /// Issues a license that can't be written, and checks that nothing has changed for the device.
    private mutating func issueUndelivered(_ item: AppleItemID, on device: Digest, draw: Int) throws {
        let requester = GivenApps.requester(next(), device: device)
        story.append("issue \(item) on \(device.bytes[0]) undelivered")
        let (before, places) = (licenses, holders(of: item))
        guard let license = try send(requester, item, draw: draw) else { return }
        let replaced = licenses.values.filter { $0.id != license.id && $0 != before[$0.id] }
        keep(license.unwritten(.new(replacing: replaced), key: Self.key, at: now))
        #expect(licenses.filter { $0.key != license.id } == before && holders(of: item) == places, "\(story)")
        #expect(try send(requester, item, draw: draw) == nil, "\(story)")
    }

    private mutating func askAgain(_ again: (requester: AppLicense.Requester, item: AppleItemID)?, draw: Int) throws {
        guard let again else { return }
        story.append("the request \(again.requester.request) again")
        _ = try send(again.requester, again.item, draw: draw, expectingNoChange: true)
    }

    /// Requests a license. Returns the issued license, or `nil` if the request is refused.
    private mutating func send(
        _ requester: AppLicense.Requester, _ item: AppleItemID, draw: Int, expectingNoChange: Bool = false
    ) throws -> AppLicense? {
        let asset = AssetRef(item: item, version: GivenApps.version, asset: GivenApps.asset.asset)
        let request = AppLicense.Request(
            asset: asset, hasKey: true, newID: try #require(LicenseID(number: Int64(next()))), draw: draw)
        let earlier = licenses.values.filter { $0.device == requester.device && $0.item == item }
            .sorted { ($0.issuedAt, $0.id) < ($1.issuedAt, $1.id) }
        switch marketplace.issue(request, to: requester, right: right(to: item), earlier: earlier, at: now) {
        case .refused: return nil
        case .granted(let (license, consequences)):
            #expect(license.recordedState == .active, "a stopped license is never returned: \(story)")
            if expectingNoChange { #expect(consequences.isEmpty, "\(story)") }
            keep(consequences)
            return license
        }
    }

    private mutating func renew(_ id: LicenseID, request: UInt64, draw: Int) throws {
        story.append("renew \(id.number)")
        guard let renewed = try send(id, request: request, draw: draw) else { return }
        self.renewed.append((request, id))
        try checkTerm(renewed)
        #expect(renewed.term.start == now, "\(story)")
        #expect(try send(id, request: request, draw: -draw, expectingNoChange: true) == renewed, "\(story)")
    }

    /// Renews a license that can't be written, and checks that its term hasn't changed.
    private mutating func renewUnwritten(_ id: LicenseID, draw: Int) throws {
        let request = next()
        story.append("renew \(id.number) unwritten")
        let before = licenses[id]
        guard let renewed = try send(id, request: request, draw: draw) else { return }
        keep(renewed.unwrittenRenewal(for: request, before: before, key: Self.key, at: now))
        #expect(licenses[id]?.term == before?.term && licenses[id]?.isReplaced == before?.isReplaced, "\(story)")
    }

    private mutating func renewAgain(_ again: (request: UInt64, license: LicenseID), draw: Int) throws {
        guard let license = licenses[again.license], license.termRequest == again.request else { return }
        story.append("the renewal \(again.request) again")
        _ = try send(again.license, request: again.request, draw: draw, expectingNoChange: true)
    }

    private mutating func send(
        _ id: LicenseID, request: UInt64, draw: Int, expectingNoChange: Bool = false
    ) throws -> AppLicense? {
        let license = try #require(licenses[id])
        let requester = GivenApps.requester(request, device: license.device)
        let answer = license.renew(
            for: requester, of: marketplace.apps[license.item], right: right(to: license.item), access: .token,
            hasKey: true, draw: draw, at: now)
        switch answer {
        case .ineligible(_, let consequences):
            keep(consequences)
            #expect(licenses[id]?.term == license.term, "\(story)")
            return nil
        case .renewed(let renewed, let consequences):
            #expect(license.recordedState == .active, "a stopped license is never renewed: \(story)")
            if expectingNoChange { #expect(consequences.isEmpty, "\(story)") }
            keep(consequences)
            return renewed
        }
    }

    private mutating func perform(_ act: AppLicense.Act, on id: LicenseID) throws {
        let license = try #require(licenses[id])
        story.append("\(act.rawValue) \(id.number)")
        let others = { (world: AppLicenseWorld) in
            world.licenses.values.filter { $0.device == license.device && $0.item == license.item }
        }
        let decision = license.perform(act, with: others(self), by: .operator("test"), at: now)
        guard case .granted(let consequences) = decision else { return }
        if license.recordedState.isFinal { #expect(consequences.isEmpty, "a final state stays: \(story)") }
        keep(consequences)
        let again = try #require(licenses[id]).perform(act, with: others(self), by: .operator("test"), at: now)
        #expect(again.outcome?.isEmpty ?? true, "\(story)")
        guard !license.recordedState.isFinal else { return }
        for other in others(self) {
            let isStill = act == .reinstate ? other.recordedState == .suspended : other.recordedState == .active
            #expect(!isStill, "\(act) leaves \(other.id.number) as it was: \(story)")
        }
    }

    private mutating func grantOrEnd(_ item: AppleItemID, using random: inout some RandomNumberGenerator) {
        let account = AccountRef(tenant: GivenApps.tenant, account: GivenApps.ada)
        let before = grants[item]
        let days = [nil, -1, 0, 1, 12, 45].randomElement(using: &random) ?? nil
        let end = days.map { now.adding(days: $0) }
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            story.append("end \(item)")
            if let before { keep(before.end(by: .operator("test"), at: now)) }
        case 1:
            story.append("grant \(item) again")
            if let before { keep(before.again(by: .operator("test"), at: now)) }
        default:
            story.append("grant \(item) for \(days.map { "\($0) days" } ?? "ever")")
            keep(AppGrant.grant(item, to: account, [.end(end)], over: before, by: .operator("test"), at: now))
            #expect(grants[item]?.term.end == end, "\(story)")
        }
    }

    private mutating func pass(seconds: Int64) {
        story.append("\(seconds) s pass")
        now = now.adding(seconds: seconds)
    }

    private mutating func keep(_ consequences: AppLicense.Consequences) {
        for license in consequences.licenses { licenses[license.id] = license }
        if let grant = consequences.grant { grants[grant.item] = grant }
    }

    private mutating func next() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func holders(of item: AppleItemID) -> Set<Digest> {
        Set(licenses.values.filter { $0.item == item && $0.isDeviceActive(at: now) }.map(\.device))
    }

    private func right(to item: AppleItemID) -> AppGrant.Right {
        AppGrant.Right(grant: grants[item], active: holders(of: item))
    }

    /// Checks that a new term is within its grant and hasn't ended.
    private func checkTerm(_ license: AppLicense) throws {
        let grant = try #require(grants[license.item], "\(story)")
        #expect(grant.isOpen(at: now), "\(story)")
        if let end = grant.term.end { #expect(try #require(license.term.end) <= end, "\(story)") }
        #expect(!license.term.isOver(at: now), "\(story)")
        let isForEver = rules.durationDays == nil && grant.term.end == nil
        #expect((license.term.asIssuedAndDuration.duration == 0) == isForEver, "\(story)")
    }

    /// Checks the device limit, and which license of each device is current.
    private func checkAlways() throws {
        for item in Self.items {
            try #require(holders(of: item).count <= Self.limit, "more devices than the limit: \(story)")
            for device in holders(of: item) {
                let all = licenses.values.filter { $0.item == item && $0.device == device }
                let current = all.currentOfEachDevice
                #expect(current.count == 1 && current[0].isReplaced == false, "\(story)")
                for license in all where license.isReplaced && !license.isUndelivered {
                    let isReplaced = all.contains { $0.id != license.id && $0.issuedAt >= license.term.start }
                    #expect(isReplaced, "no license is newer than \(license.id.number): \(story)")
                }
                for license in all where !license.isReplaced {
                    let isReplaced = all.contains { $0.issuedAt > license.term.start && !$0.isUndelivered }
                    #expect(!isReplaced, "a license is newer than \(license.id.number): \(story)")
                }
            }
        }
    }
}
