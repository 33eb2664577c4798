import Foundation
import GoldenFiles
import TenureCore
import TenureLicensing
import Testing

/// Compares every cell of the documented table (state x action) with the code's decision.
@Suite struct LicenseTableTests {
    @Test(arguments: try documentedCells())
    func `each action on a license in each state has the outcome in the documented table`(_ cell: Cell)
        throws
    {
        #expect(try outcome(of: cell.act, in: cell.state) == cell.expected, "\(cell.state) x \(cell.act)")
    }

    @Test func `the documented table of license states has every state and every action`() throws {
        let cells = try Self.documentedCells()
        let states = Set(cells.map { $0.state.prefix { $0 != "," } }).map(String.init)
        #expect(Set(states) == Set(License.State.allCases.map(\.rawValue)))
        #expect(Set(cells.map(\.act)) == Set(Act.allCases))
        #expect(cells.count == 10 * Act.allCases.count)
    }

    enum Act: String, CaseIterable {
        case activate, validate, deactivate, renew, suspend, reinstate, revoke
        case giveBack = "return"
        case expire
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let state: String
        let act: Act
        let expected: String
        var testDescription: String { "\(state) x \(act.rawValue)" }
    }

    static func documentedCells() throws -> [Cell] {
        let page = URL.packageRoot.appending(path: "Documentation/license-states.md")
        let rows = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "## Replaced keys")[0]
            .split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let acts = try rows[0].dropFirst().map { try #require(Act(rawValue: $0)) }
        return rows.dropFirst().flatMap { row in
            zip(acts, row.dropFirst()).map { Cell(state: row[0], act: $0, expected: $1) }
        }
    }

    private func outcome(of act: Act, in state: String) throws -> String {
        let (license, policy) = try situation(state)
        let now = Given.now
        let actor = Given.operatorAda
        switch act {
        case .activate:
            return describe(
                license.activate(
                    Given.attempt(), activations: License.Activations(activeCount: 1, existing: nil), under: policy,
                    at: now))
        case .validate:
            let held = license.recordedState == .issued ? nil : Given.activation()
            return describe(license.validate(held, under: policy, at: now))
        case .deactivate:
            guard license.recordedState != .issued else { return "nothing to release" }
            let consequences = license.deactivate(Given.activation(), by: .device, under: nil, at: now)
            return consequences.activation?.releasedAt == now ? "released" : "unchanged"
        case .renew: return describe(license.renew(.policy, under: policy, by: actor, at: now))
        case .suspend: return describe(license.suspend(by: actor, at: now))
        case .reinstate: return describe(license.reinstate(by: actor, at: now))
        case .revoke: return describe(license.revoke(by: actor, at: now))
        case .giveBack: return describe(license.giveBack(by: actor, at: now))
        case .expire: return describe(license.expire(at: now))
        }
    }

    private func situation(_ name: String) throws -> (License, Policy) {
        switch name {
        case "expired": (Given.license(.active, endsIn: -1), Given.policy())
        case "expired, in grace": (Given.license(.active, endsIn: -1), Given.policy(grace: 3))
        case "expired, with fallback": (Given.license(.active, endsIn: -1), Given.policy(fallback: true))
        case "expired, written down": (Given.license(.expired, endsIn: -1), Given.policy())
        case "suspended, term over": (Given.license(.suspended, endsIn: -1), Given.policy())
        default: (Given.license(try #require(License.State(rawValue: name))), Given.policy())
        }
    }

    private func describe(_ answer: License.ActivationAnswer) -> String {
        switch answer {
        case .activated(_, let lease, let consequences):
            let move = consequences.license.map { "→ \($0.state(at: Given.now).rawValue), " } ?? ""
            return move + (consequences.activation == nil ? "" : "activation, ") + "lease \(lease.status.rawValue)"
        case .refused(let refusal, let lease, _):
            return describe(refusal, lease)
        }
    }

    private func describe(_ answer: License.ValidationAnswer) -> String {
        switch answer {
        case .valid(let lease): "lease \(lease.status.rawValue)"
        case .refused(let refusal, let lease): describe(refusal, lease)
        }
    }

    private func describe(_ refusal: Refusal, _ lease: LeaseTerms?) -> String {
        "no: \(refusal.first.code)" + (lease.map { ", lease \($0.status.rawValue)" } ?? "")
    }

    private func describe(_ decision: Decision<Consequences>) -> String {
        switch decision {
        case .granted(let consequences):
            consequences.license.map { "→ \($0.state(at: Given.now).rawValue)" } ?? "unchanged"
        case .refused(let refusal): "no: \(refusal.first.code)"
        }
    }
}
