import Foundation
import GoldenFiles
import TenureCore
import TenureMarketplace
import Testing

/// Compares every cell of the documented table (situation x action) with the code's decision.
@Suite struct AppLicenseTableTests {
    @Test(arguments: try documentedCells())
    func `each action on an app license has the result that the documented table lists for the license's state`(
        _ cell: Cell
    )
        throws
    {
        #expect(try outcome(of: cell.act, in: cell.situation) == cell.expected, "\(cell)")
    }

    @Test func `the documented table of app license actions has every action, and every state except issued`() throws {
        let cells = try Self.documentedCells()
        let states = Set(cells.map { String($0.situation.prefix { $0 != "," }) })
        #expect(states == Set(LifecycleState.allCases.map(\.rawValue)).subtracting(["issued"]))
        #expect(Set(cells.map(\.act)) == Set(Act.allCases))
        #expect(cells.count == 21 * Act.allCases.count)
    }

    enum Act: String, CaseIterable {
        case issue, renew, suspend, reinstate, revoke
        case giveBack = "return"
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let situation: String
        let act: Act
        let expected: String
        var testDescription: String { "\(situation) x \(act.rawValue)" }
    }

    static func documentedCells() throws -> [Cell] {
        let page = URL.packageRoot.appending(path: "Documentation/app-license-states.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let acts = try rows[0].dropFirst().map { try #require(Act(rawValue: $0)) }
        return rows.dropFirst().flatMap { row in
            zip(acts, row.dropFirst()).map { Cell(situation: row[0], act: $0, expected: $1) }
        }
    }

    /// The input of a decision. Each situation changes a few members.
    private struct Situation {
        var license = GivenApps.license()
        var app: MarketplaceApp? = GivenApps.app()
        var grant: AppGrant? = GivenApps.grant()
        var active: Set<Digest> = [GivenApps.phone]
        var requester = GivenApps.requester()
        var hasKey = true
        var earlier: [AppLicense] {
            license.device == requester.device && license.account == requester.account ? [license] : []
        }
        var right: AppGrant.Right { AppGrant.Right(grant: grant, active: active) }
    }

    private func situation(_ name: String) throws -> Situation {
        var it = Situation()
        let others: Set<Digest> = [GivenApps.device(8), GivenApps.device(9)]
        switch name {
        case "active": break
        case "active, same request again": it.requester = GivenApps.requester(1)
        case "active, device limit reached": it.active = [GivenApps.phone, GivenApps.device(8)]
        case "active, grant ended": it.grant = GivenApps.grant(ended: true)
        case "active, grant over": it.grant = GivenApps.grant(until: GivenApps.now)
        case "active, never granted": it.grant = nil
        case "active, app withdrawn": it.app = GivenApps.app(withdrawn: true)
        case "active, app withdrawn for good":
            it.app = GivenApps.app(withdrawn: true, rules: AppLicense.Rules(revokeOnTakedown: true))
        case "active, app not listed": it.app = nil
        case "active, key missing": it.hasKey = false
        case "active, version not listed": it.app = GivenApps.app(versions: [])
        case "active, of another device": it.requester = GivenApps.requester(device: GivenApps.device(8))
        case "active, of another account": it.requester = GivenApps.requester(account: AccountID("bob")!)
        case "expired": it.license = GivenApps.license(endsIn: 0)
        case "expired, device limit reached":
            it.license = GivenApps.license(endsIn: -1)
            it.active = others
        case "expired, too long ago": it.license = GivenApps.license(endsIn: -90 * 86_400)
        case "suspended, term over": it.license = GivenApps.license(.suspended, endsIn: -1)
        case "revoked, granted anew":
            it.license = GivenApps.license(.revoked)
            it.grant = GivenApps.grant(at: GivenApps.now.adding(days: -4))
        default: it.license = GivenApps.license(try #require(LifecycleState(rawValue: name)))
        }
        return it
    }

    private func outcome(of act: Act, in name: String) throws -> String {
        let it = try situation(name)
        let now = GivenApps.now
        switch act {
        case .issue:
            let decision = GivenApps.marketplace(it.app).issue(
                GivenApps.wish(hasKey: it.hasKey), to: it.requester, right: it.right, earlier: it.earlier, at: now)
            switch decision {
            case .refused(let refusal): return "no: \(refusal.first.code)"
            case .granted(let (license, consequences)):
                if consequences.isEmpty { return license == it.license ? "unchanged" : "another" }
                return license.id == GivenApps.newID ? "new" : "another"
            }
        case .renew:
            switch it.license.renew(
                for: it.requester, of: it.app, right: it.right, access: .token, hasKey: it.hasKey, draw: 0, at: now)
            {
            case .ineligible(let refusal, _): return "no: \(refusal.first.code)"
            case .renewed(let license, let consequences):
                return consequences.isEmpty ? "unchanged" : "→ \(license.state(at: now))"
            }
        case .suspend:
            return describe(it.license.perform(.suspend, with: it.earlier, by: GivenApps.operatorAda, at: now))
        case .reinstate:
            return describe(it.license.perform(.reinstate, with: it.earlier, by: GivenApps.operatorAda, at: now))
        case .revoke: return describe(it.license.perform(.revoke, with: it.earlier, by: GivenApps.operatorAda, at: now))
        case .giveBack:
            return describe(it.license.perform(.giveBack, with: it.earlier, by: GivenApps.operatorAda, at: now))
        }
    }

    private func describe(_ decision: Decision<AppLicense.Consequences>) -> String {
        switch decision {
        case .granted(let consequences):
            consequences.licenses.first.map { "→ \($0.state(at: GivenApps.now).rawValue)" } ?? "unchanged"
        case .refused(let refusal): "no: \(refusal.first.code)"
        }
    }
}
